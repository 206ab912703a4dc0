import type { JsonFile } from '../../content/file.ts';
import { decodeWindows1252 } from '../../content/windows-1252.ts';
import type { Finding, Rule } from '../rule.ts';

export const utf8: Rule<JsonFile> = {
  name: 'utf-8',
  description: 'A file is UTF-8.',
  severity: 'error',
  strict: true,
  example: { wrong: '"topic": "Schr<F6>dinger"   (saved as Latin-1)', right: '"topic": "Schrödinger"' },
  *check(file) {
    if (file.state === 'undecodable') yield { path: file.path, pointer: '', ...fault(file.bytes) };
    if (file.state === 'unparsable' && isUtf16Text(file.text))
      yield { path: file.path, pointer: '', ...utf16 };
  },
};

function fault(bytes: Buffer): Pick<Finding, 'message' | 'part' | 'suggestion'> {
  if (hasUtf16Mark(bytes)) return utf16;
  const { start, wrong } = firstWrongBytes(bytes);
  const windows = decodeWindows1252(wrong);
  const hex = [...wrong].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');
  return {
    message: `The file is not UTF-8: here stand the bytes ${hex}. Save it as UTF-8.`,
    part: { of: 'file', start, end: start + 1 },
    ...(/^[\p{L}\p{P}\p{S}]+$/u.test(windows) && { suggestion: windows }),
  };
}

const utf16 = {
  message: 'The file is UTF-16. Save it as UTF-8.',
  part: { of: 'file', start: 0, end: 0 },
} as const;

function hasUtf16Mark([first, second]: Buffer): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Without a mark it is UTF-8 as well, with a zero beside each character of JSON. */
export function isUtf16Text(text: string): boolean {
  return text.charCodeAt(0) === 0 || text.charCodeAt(1) === 0;
}

/** The first bytes that are no character, and their offset in the text in UTF-16 units. */
function firstWrongBytes(bytes: Buffer): { readonly start: number; readonly wrong: Buffer } {
  let sound = 0;
  for (let step = 2 ** Math.floor(Math.log2(bytes.length)); step >= 1; step /= 2)
    if (sound + step <= bytes.length && decoded(bytes, sound + step) !== undefined) sound += step;
  const before = decoded(bytes, sound) ?? '';
  const at = Buffer.byteLength(before);
  const mark = before.startsWith('\ufeff') ? 1 : 0;
  return { start: before.length - mark, wrong: bytes.subarray(at, Math.max(at + 1, sound)) };
}

/** The whole characters of so many bytes; undefined when something else is among them. */
function decoded(bytes: Buffer, length: number): string | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(bytes.subarray(0, length), { stream: true });
  } catch {
    return undefined;
  }
}
