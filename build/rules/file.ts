/** Rules on each JSON file before its schema: readable, UTF-8, no byte order mark, no duplicate keys. */
import { hasUniqueNames, type JsonFile } from '../content/file.ts';
import { duplicateNames, escapePointer } from '../content/positions.ts';
import { decodeWindows1252 } from '../content/text.ts';
import { type Finding, firstOccurrence, quote, type Rule } from './rule.ts';

export const readableFile: Rule<JsonFile> = {
  name: 'readable-file',
  description: 'Every file of the bank can be read, and is not too large for a paper.',
  severity: 'error',
  strict: true,
  example: { wrong: '-rw------- root  physics.json', right: '-rw-r--r-- root  physics.json' },
  *check(file) {
    if (file.state === 'unreadable') yield { message: file.fault };
  },
};

export const utf8: Rule<JsonFile> = {
  name: 'utf-8',
  description: 'A file is UTF-8.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '"topic": "Schr<F6>dinger"   (saved as Latin-1)',
    right: '"topic": "Schrödinger"',
  },
  *check(file) {
    if (file.state === 'undecodable') yield encodingProblem(file.bytes);
    if (file.state === 'unparsable' && isUtf16Text(file.text)) yield utf16;
  },
};

function encodingProblem(bytes: Buffer): Finding {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return utf16;
  const { start, at } = firstWrongByte(bytes);
  // One character is lost with all bytes of an incomplete sequence.
  const length = [3, 2].find((most) => bytes.toString('utf8', at, at + most) === '\ufffd') ?? 1;
  const wrong = bytes.subarray(at, at + length);
  const hex = [...wrong].map((byte) => byte.toString(16).toUpperCase()).join(' ');
  const message = `The file is not UTF-8: it has the bytes ${hex} here. Save it as UTF-8.`;
  const windows = decodeWindows1252(wrong);
  const suggestion = /^[\p{L}\p{P}\p{S}]+$/u.test(windows) ? windows : undefined;
  return { message, part: { of: 'file', start, end: start + 1 }, suggestion };
}

const utf16: Finding = {
  message: 'The file is in the wrong encoding. Save it as UTF-8.',
  part: { of: 'file', start: 0, end: 0 },
};

/** UTF-16 without a mark decodes as UTF-8, with a zero next to each character of JSON. */
export function isUtf16Text(text: string): boolean {
  return text.charCodeAt(0) === 0 || text.charCodeAt(1) === 0;
}

/** The offset of the first byte that is not UTF-8, and that of its place in the text in UTF-16 units. */
function firstWrongByte(bytes: Buffer): { readonly start: number; readonly at: number } {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const mark = text.startsWith('\ufeff') ? 1 : 0;
  let at = 0;
  let last = 0;
  for (const { index: start } of text.matchAll(/\ufffd/g)) {
    at += Buffer.byteLength(text.slice(last, start));
    last = start;
    // The file may have this character itself.
    if (bytes.toString('hex', at, at + 3) !== 'efbfbd') return { start: start - mark, at };
  }
  return { start: 0, at: 0 };
}

export const byteOrderMark: Rule<JsonFile> = {
  name: 'byte-order-mark',
  description: 'A file has no byte order mark (RFC 8259, 8.1).',
  severity: 'error',
  strict: true,
  example: { wrong: '<U+FEFF>{ "label": "NEET" }', right: '{ "label": "NEET" }' },
  *check(file) {
    if (!('byteOrderMark' in file) || !file.byteOrderMark) return;
    const message =
      'The file begins with a byte order mark. Save it as "UTF-8", not as "UTF-8 with BOM".';
    yield { part: { of: 'file', start: 0, end: 0 }, message, suggestion: '', certain: true };
  },
};

export const duplicateKeys: Rule<JsonFile> = {
  name: 'duplicate-keys',
  description: 'An object has each property only once. Otherwise, only the last one counts.',
  severity: 'error',
  strict: true,
  example: { wrong: '{ "answer": "A", "answer": "C" }', right: '{ "answer": "C" }' },
  *check(file) {
    if (file.state !== 'parsed' || hasUniqueNames(file.text, file.value)) return;
    for (const { name, pointer: object, first, again } of duplicateNames(file.text)) {
      const pointer = `${object}/${escapePointer(name)}`;
      const message = `The property ${quote(name)} is repeated here. Only the last one counts: remove the other.`;
      const related = [{ ...firstOccurrence(pointer), part: { of: 'file', ...first } as const }];
      yield { pointer, part: { of: 'file', ...again }, message, related };
    }
  },
};
