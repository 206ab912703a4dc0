import { LRUCache } from 'lru-cache';

/** Accounts and months: what they take is bounded. */
const mostKept = 50_000;

/**
 * What Redis last said that accounts have used in a month. It brings back a Redis that lost its data, and stands in
 * for one that is away.
 */
export class SeenTotals {
  readonly #kept = new LRUCache<string, number>({ max: mostKept });

  /** 0: nothing was seen. */
  of(month: string): number {
    return this.#kept.get(month) ?? 0;
  }

  /** @param month its name in Redis */
  see(month: string, used: number): void {
    this.#kept.set(month, used);
  }
}
