/**
 * The characters of the bytes 0x80 to 0x9F in Windows-1252, with the controls of Latin-1 for those that it leaves
 * out (WHATWG Encoding, 9.1). All other bytes are those of Latin-1. TextDecoder takes the one encoding for the other
 * in some versions of Node.
 */
const middle = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const first = 0x80;

/** Reads bytes as Windows-1252. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => middle[byte - first] ?? String.fromCharCode(byte)).join('');
}

/** The byte that a character was read from, as Windows-1252 or Latin-1; undefined for one that neither has. */
export function byteOf(character: string): number | undefined {
  const index = middle.indexOf(character);
  if (index >= 0) return first + index;
  const unit = character.charCodeAt(0);
  return unit <= 0xff ? unit : undefined;
}
