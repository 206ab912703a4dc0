import type { JsonFile } from '../../content/file.ts';
import type { Rule } from '../rule.ts';

export const byteOrderMark: Rule<JsonFile> = {
  name: 'byte-order-mark',
  description: 'A file begins with its first character, not with a byte order mark (RFC 8259, 8.1).',
  severity: 'error',
  strict: true,
  example: { wrong: '<U+FEFF>{ "label": "NEET" }', right: '{ "label": "NEET" }' },
  *check(file) {
    if (!('byteOrderMark' in file) || !file.byteOrderMark) return;
    yield {
      path: file.path,
      pointer: '',
      part: { of: 'file', start: 0, end: 0 },
      message: 'The file begins with a byte order mark. Save it as "UTF-8", not as "UTF-8 with BOM".',
    };
  },
};
