import { byteOf, decodeWindows1252 } from '../../content/windows-1252.ts';
import type { TextRule } from './text-rule.ts';

export const mojibake: TextRule = {
  name: 'mojibake',
  description:
    'Texts were never UTF-8 that something read as Windows-1252 or Latin-1 (Ã© for é), and lost no character on the way (U+FFFD).',
  severity: 'error',
  example: { wrong: '"topic": "SchrÃ¶dinger equation"', right: '"topic": "Schrödinger equation"' },
  concerns: /[\u00c2\u00c3\u00ce-\u00d1\u00e0\u00e2\u00ef\u00f0][\u0080-\uffff]|\ufffd/,
  *check({ path, pointer, text }) {
    for (const { 0: found, index: start } of text.matchAll(broken)) {
      const repaired = repair(found);
      if (repaired === found) continue;
      yield {
        path,
        pointer,
        part: { of: 'value', start, end: start + found.length },
        message: 'This was UTF-8, and something read it in another encoding.',
        suggestion: repaired,
      };
    }
    for (const { 0: found, index: start } of text.matchAll(/\ufffd+/g)) {
      yield {
        path,
        pointer,
        part: { of: 'value', start, end: start + found.length },
        message: 'A character was lost here, and U+FFFD stands in its place. Write it anew.',
      };
    }
  },
};

/** Bytes 0x80 to 0xBF, which go on a character of UTF-8, in either encoding. */
const high = decodeWindows1252(Uint8Array.from({ length: 64 }, (_, index) => index + 128));
const next = `[\\u0080-\\u009f${high.replace(/[\]\\^-]/g, '\\$&')}]`;

/**
 * The characters of Latin, Greek, Cyrillic and the scripts of India, punctuation, signs and emoji, by their
 * first bytes. Others are left out, since two characters side by side make them: the Å and the dash of "5 Å–6 Å".
 */
const sequence = [
  'Â[\\u0080-\\u00bf]',
  `[ÃÎÏ]${next}`,
  `(?:[ÐÑ]${next}){2,}`,
  `à[¤-·]${next}`,
  `â${next}${next}`,
  `â€(?!${next})`,
  `ï[»¼½¿]${next}`,
  `ðŸ${next}${next}`,
].join('|');

/** The signs of Windows-1252 that are letters of Unicode: they follow others where text was misread twice. */
const rare = `[ÅÆË]${next}`;

/** Sequences, and those that little stands between: one sentence is one mistake. */
const broken = new RegExp(`(?:${sequence})(?:[ -/:-@]{0,3}(?:${sequence})|${rare})*`, 'g');
const sequences = new RegExp(`(?:${sequence}|${rare})+`, 'g');

/** Text may have been misread more than once: `Ã¢â‚¬â„¢`. */
const mostTimes = 3;

function repair(text: string): string {
  let repaired = text;
  for (let time = 0; time < mostTimes; time += 1) {
    const before = repaired;
    repaired = before.replace(sequences, decode);
    if (repaired === before) break;
  }
  return repaired;
}

/** As it is, where it is no UTF-8 after all. */
function decode(misread: string): string {
  if (misread === 'â€') return '”';
  try {
    const read = Uint8Array.from(misread, (character) => byteOf(character) ?? 0);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read);
  } catch {
    return misread;
  }
}
