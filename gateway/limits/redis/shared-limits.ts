import type { Plan } from '../../../build/release/plans.ts';
import type { Log } from '../../log/log.ts';
import type { Decision } from '../decision.ts';
import type { InProcessLimits } from '../in-process.ts';
import type { LimitStore } from '../store.ts';
import type { Presence } from './connection.ts';
import { RedisAway } from './redis-away.ts';
import type { RedisLimits } from './redis-limits.ts';

/** Times that own counts are written before Redis decides again: requests go on meanwhile, and count. */
const mostRounds = 5;

/**
 * Limits that replicas share in Redis. While it is away, each replica decides by itself, from what it last saw, and
 * merges its counts when Redis is back.
 */
export class SharedLimits implements LimitStore, Presence {
  readonly #redis: RedisLimits;
  readonly #own: InProcessLimits;
  readonly #log: Log;
  #isShared = false;
  /** Times that Redis went. */
  #outages = 0;
  #decidedAlone = 0;

  /** @param own limits whose counts are merged into the same Redis */
  constructor(redis: RedisLimits, own: InProcessLimits, log: Log) {
    this.#redis = redis;
    this.#own = own;
    this.#log = log;
  }

  /** Whether Redis decides; this replica alone where it does not. */
  get isShared(): boolean {
    return this.#isShared;
  }

  /** Requests that this replica has decided on by itself since it started. */
  get decidedAlone(): number {
    return this.#decidedAlone;
  }

  take(account: string, plan: Plan): Decision | Promise<Decision> {
    if (!this.#isShared) return this.#takeAlone(account, plan);
    return this.#redis.take(account, plan).catch((error: unknown) => {
      if (error instanceof RedisAway) return this.#takeAlone(account, plan);
      throw error;
    });
  }

  /** @throws when Redis is away, and there are counts that it does not have */
  close(): Promise<void> {
    return this.#own.close();
  }

  came(): void {
    void this.#share(this.#outages);
  }

  went(reason: string): void {
    this.#isShared = false;
    this.#outages += 1;
    this.#log(`Redis is away (${reason}). This replica keeps limits by itself until it is back.`);
  }

  /** What was counted alone is merged before Redis decides. */
  async #share(outages: number): Promise<void> {
    try {
      for (let round = 0; round < mostRounds && this.#own.hasUnwritten; round += 1) await this.#own.flush();
    } catch {
      // Redis went again. What it does not have is kept, and merged when it comes.
      return;
    }
    if (outages !== this.#outages) return;
    this.#isShared = true;
    if (outages === 0) return;
    this.#log(
      `Redis is back. Since its start, this replica has decided on ${this.#decidedAlone} requests alone.`,
    );
  }

  #takeAlone(account: string, plan: Plan): Decision | Promise<Decision> {
    this.#decidedAlone += 1;
    return this.#own.take(account, plan);
  }
}
