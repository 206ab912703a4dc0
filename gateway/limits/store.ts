import type { Plan } from '../../build/release/plans.ts';
import type { Decision, Outcome } from './decision.ts';

/** Decides on requests, on rate and quota in one atomic step. All stores decide the same way. */
export interface LimitStore {
  /**
   * Decides on one request of an account, and counts it by its outcome. Returns the decision at once if it can.
   *
   * @param key id of the key, by which requests are counted; empty: it is not known
   */
  take(account: string, plan: Plan, key?: string): Decision | Promise<Decision>;
  /** Writes everything that was counted. */
  close(): Promise<void>;
}

/** Where usage is stored permanently. */
export interface UsageLedger {
  /** Requests of an account counted in a month, `YYYY-MM`. */
  read(account: string, month: string): Promise<number>;
  /**
   * Adds all of a batch, or none. A batch that is sent again, because its outcome was unknown, is counted once.
   *
   * @returns the totals afterwards, which include what other processes have added
   */
  add(batch: UsageBatch): Promise<readonly UsageTotal[]>;
}

export interface UsageBatch {
  readonly id: string;
  /** When it was created: milliseconds since 1970, UTC. */
  readonly at: number;
  readonly entries: readonly UsageEntry[];
}

/** Numbers of requests by outcome. */
export type UsageCounts = Readonly<Record<Outcome, number>>;

/** Requests with a key on a day, `YYYY-MM-DD` in UTC. */
export interface KeyUsage extends UsageCounts {
  readonly day: string;
  /** Id of the key; empty: it is not known, as for counts of earlier versions. */
  readonly key: string;
}

export interface UsageEntry extends KeyUsage {
  readonly account: string;
}

/** Requests of an account in a month, `YYYY-MM` in UTC. */
export interface UsageTotal {
  readonly account: string;
  readonly month: string;
  readonly used: number;
}

/** Reads usage, for the dashboard and the commands. */
export interface UsageReader {
  /** Requests of an account counted in a month, `YYYY-MM`. */
  read(account: string, month: string): Promise<number>;
  /** The usage of each key of an account on each day of a month, in order of days. */
  readKeys(account: string, month: string): Promise<readonly KeyUsage[]>;
}

/** Redis is unavailable. The message says why. Not in `redis/`, so that catching it does not load the client. */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable';

  constructor(message: string) {
    super(message);
    // Logged for each request in an outage, where the place in this program helps nobody.
    this.stack = `RedisUnavailable: ${message}`;
  }
}
