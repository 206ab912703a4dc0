/** Encodings of characters in texts: HTML entities and Windows-1252. */
import { decodeHTMLStrict } from 'entities/decode';
import bounds from './bounds.json' with { type: 'json' };
import type { Span } from './positions.ts';

/** An HTML character reference and its character. Offsets are those in the text. */
export interface Entity extends Span {
  /** As it is written: `&lt;`, `&#8211;`, `&#x2013;`. */
  readonly text: string;
  /** One character or two; U+FFFD for a number without a character, such as `&#xD800;`. */
  readonly decoded: string;
}

/** More marks of one letter than any script has: browsers and normalization need long for them. */
export const manyMarks = new RegExp(`[\\p{M}\\u200c\\u200d]{${bounds.marks + 1},}`, 'u');

const characterReference = /&(?:#[xX][0-9a-fA-F]+|#[0-9]+|[a-zA-Z][a-zA-Z0-9]*);/g;

/**
 * The character references of a text, in order: those with a number, and those with a name of the HTML standard (13.5).
 * They end in `;`, so that `Q&A` contains none.
 */
export function findEntities(text: string): Entity[] {
  if (!text.includes('&')) return [];
  return [...text.matchAll(characterReference)].flatMap(({ 0: written, index: start }) => {
    const decoded = decodeHTMLStrict(written);
    return decoded === written
      ? []
      : [{ text: written, decoded, start, end: start + written.length }];
  });
}

/**
 * The characters of the bytes 0x80 to 0x9F in Windows-1252 (WHATWG Encoding, 9.1). All other bytes are those of Latin-1.
 * TextDecoder confuses the two encodings in some versions of Node.
 */
const highCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const firstByte = 0x80;

/** Reads bytes as Windows-1252. */
export function decodeWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes).toString('latin1');
  return latin1.replace(/[\u0080-\u009f]/g, (one) =>
    highCharacters.charAt(one.charCodeAt(0) - firstByte),
  );
}

/** The byte of a character in Windows-1252 or Latin-1; undefined for a character of neither. */
export function byteOf(character: string): number | undefined {
  const index = highCharacters.indexOf(character);
  if (index >= 0) return firstByte + index;
  const unit = character.charCodeAt(0);
  return unit <= 0xff ? unit : undefined;
}
