import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { ValidKey } from '../key-check.ts';
import type { AnsweredCheck } from './introspection-response.ts';

/**
 * Milliseconds from the question on. A revoked key is refused within 10 s: the last of them is for the look-up
 * that finds out.
 */
const validAge = 9_000;
const refusedAge = 5_000;

/** Checks of each kind: what they take is bounded, whatever tokens are sent. */
const mostKept = 10_000;

/**
 * The last checks of keys, for as long as they may be believed. Refused tokens are kept apart, so that
 * a flood of made-up ones does not push out the keys in use.
 */
export class KeptChecks {
  readonly #clock: Clock;
  readonly #valid: LRUCache<string, ValidKey>;
  readonly #refused: LRUCache<string, Exclude<AnsweredCheck, ValidKey>>;

  constructor(clock: Clock) {
    // Without a resolution of 0, lru-cache would keep the time, too, for a moment of the system's clock.
    const kept = { max: mostKept, perf: { now: () => milliseconds(clock.elapsed()) }, ttlResolution: 0 };
    this.#clock = clock;
    this.#valid = new LRUCache({ ...kept, ttl: validAge });
    this.#refused = new LRUCache({ ...kept, ttl: refusedAge });
  }

  get(hash: string): AnsweredCheck | undefined {
    const valid = this.#valid.get(hash);
    return valid && !this.#isPastExpiry(valid) ? valid : this.#refused.get(hash);
  }

  /** @param askedAt microseconds of the clock's `elapsed` when the service was asked: from there it ages */
  keep(hash: string, check: AnsweredCheck, askedAt: number): void {
    const age = { start: milliseconds(askedAt) };
    if (check.state === 'valid') this.#valid.set(hash, check, age);
    else this.#refused.set(hash, check, age);
  }

  #isPastExpiry({ expiresAt = Number.POSITIVE_INFINITY }: ValidKey): boolean {
    return expiresAt <= this.#clock.now();
  }
}

function milliseconds(microseconds: number): number {
  return microseconds / 1000;
}
