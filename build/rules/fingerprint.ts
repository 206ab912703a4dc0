/** 64 bits in two unsigned words that stand for a text: the same text has the same, another hardly ever. */
export interface Fingerprint {
  high: number;
  low: number;
}

/**
 * The fingerprint of a stretch of a text, without a copy of it: two multiplicative hashes, two UTF-16 units at
 * a time, each mixed to its last bit. It is no shield against someone who looks for a collision.
 *
 * @param into where it is put: a bank has millions of them
 */
export function fingerprint(text: string, start: number, end: number, into: Fingerprint): void {
  let high = 0x9e3779b9;
  let low = 0x7f4a7c15 ^ (end - start);
  for (let at = start; at < end; at += 2) {
    const units = text.charCodeAt(at) | (at + 1 < end ? text.charCodeAt(at + 1) << 16 : 0);
    high = Math.imul(high ^ units, 0x85ebca6b);
    high ^= high >>> 15;
    low = Math.imul(low ^ units, 0x5bd1e995);
    low ^= low >>> 13;
  }
  into.high = mixed(high ^ low);
  into.low = mixed(low);
}

/** The fingerprint of a question's text; a line break or a second space makes no other question of it. */
export function stemFingerprint(text: string, into: Fingerprint): void {
  const stem = stemOf(text);
  fingerprint(stem, 0, stem.length, into);
}

/** A question's text with single spaces. Most texts have no others, and stay as they are. */
export function stemOf(text: string): string {
  return text.includes('\n') || text.includes('  ') ? text.replace(/\s+/g, ' ').trim() : text;
}

/** Spreads what the last units changed over all bits. */
export function mixed(word: number): number {
  let bits = word;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
