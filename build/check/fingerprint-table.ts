import type { Fingerprint } from './text-hash.ts';

/** Words of a slot: the fingerprint's two, and the value plus one; 0 there is a free slot. */
const slotWords = 3;
const leastSlots = 1024;

/**
 * Numbers by fingerprint, in one array of 12 bytes a slot: it is as small in memory as on the disk, and
 * threads can look things up in one of them together.
 */
export class FingerprintTable {
  #words: Uint32Array;
  #size: number;

  /** @param words those of another table, which is used as it is */
  constructor(words: Uint32Array = new Uint32Array(leastSlots * slotWords)) {
    this.#words = words;
    this.#size = 0;
    for (let at = 2; at < words.length; at += slotWords) if (words[at] !== 0) this.#size += 1;
  }

  static withRoomFor(entries: number): FingerprintTable {
    let slots = leastSlots;
    while (slots * 2 < entries * 3) slots *= 2;
    return new FingerprintTable(new Uint32Array(slots * slotWords));
  }

  get size(): number {
    return this.#size;
  }

  get words(): Uint32Array {
    return this.#words;
  }

  /** The value kept under a fingerprint; -1 when there is none. */
  get({ high, low }: Fingerprint): number {
    return (this.#words[this.#slot(high, low) + 2] ?? 0) - 1;
  }

  /**
   * Keeps a value under a fingerprint that has none yet.
   *
   * @param value from 0 to 2^32 - 2
   * @returns the value that was there before, which stays; -1 when there was none
   */
  add({ high, low }: Fingerprint, value: number): number {
    const slot = this.#slot(high, low);
    const earlier = (this.#words[slot + 2] ?? 0) - 1;
    if (earlier >= 0) return earlier;
    this.#words[slot] = high;
    this.#words[slot + 1] = low;
    this.#words[slot + 2] = value + 1;
    this.#size += 1;
    // Beyond two thirds, the way to a free slot grows long.
    if (this.#size * slotWords * 3 > this.#words.length * 2) this.#grow();
    return -1;
  }

  /** Where a fingerprint stands, or the free slot where it would. */
  #slot(high: number, low: number): number {
    const words = this.#words;
    const mask = words.length / slotWords - 1;
    for (let index = low & mask; ; index = (index + 1) & mask) {
      const slot = index * slotWords;
      if (words[slot + 2] === 0 || (words[slot] === high && words[slot + 1] === low)) return slot;
    }
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += slotWords) {
      const [high = 0, low = 0, value = 0] = [old[at], old[at + 1], old[at + 2]];
      if (value !== 0) this.#words.set([high, low, value], this.#slot(high, low));
    }
  }
}
