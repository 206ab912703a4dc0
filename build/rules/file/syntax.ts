import type { JsonFile } from '../../content/file.ts';
import { type SyntaxMistake, syntaxMistakes } from '../../content/syntax.ts';
import type { Finding, Rule } from '../rule.ts';
import { isUtf16Text } from './utf-8.ts';

export const syntax: Rule<JsonFile> = {
  name: 'syntax',
  description: 'A file is JSON (RFC 8259): no comments, no comma behind the last item.',
  severity: 'error',
  strict: true,
  example: { wrong: '"subjects": ["physics", "chemistry",]', right: '"subjects": ["physics", "chemistry"]' },
  *check(file) {
    if (file.state !== 'unparsable' || isUtf16Text(file.text)) return;
    for (const mistake of syntaxMistakes(file.text)) yield finding(file.path, mistake);
  },
};

function finding(path: string, { message, start, end, suggestion, open }: SyntaxMistake): Finding {
  return {
    path,
    pointer: '',
    part: { of: 'file', start, end },
    message,
    ...(suggestion !== undefined && { suggestion }),
    ...(open && {
      related: [{ path, pointer: '', part: { of: 'file', ...open }, message: 'Nothing closes this one.' }],
    }),
  };
}
