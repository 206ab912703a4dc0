import type { Plan } from '../../build/release/plans.ts';
import { UserError } from '../../build/release/user-error.ts';
import type { Decision, Outcome } from './decision.ts';

/** Decides on requests, on rate and quota in one atomic step. All stores decide the same way. */
export interface LimitStore {
  /**
   * Decides on one request of an account, and counts it by its outcome. Returns the decision at once if it can.
   *
   * @param key id of the key, by which requests are counted; empty: it is not known
   */
  take(account: string, plan: Plan, key?: string): Decision | Promise<Decision>;
}

/** Where usage is stored permanently. */
export interface UsageLedger {
  /** Requests of an account counted in a month, `YYYY-MM`. */
  read(account: string, month: string): Promise<number>;
  /**
   * Adds a batch. One that is sent again, because its outcome was unknown, is counted once.
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

/** Requests of an account with a key on a day. */
export interface UsageEntry extends UsageCounts {
  readonly account: string;
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string;
  /** Id of the key; empty: the key was removed, or is not known, as for counts of earlier versions. */
  readonly key: string;
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
  /** The usage of an account in a month. @param page of keys, from 1 */
  readMonth(account: string, month: string, page?: number): Promise<MonthUsage>;
}

/** The sums of a month. */
export interface MonthUsage {
  /** Days with requests, in their order. */
  readonly days: readonly (UsageCounts & Pick<UsageEntry, 'day'>)[];
  /** A page of the keys with requests: those with most accepted requests first, then by id. */
  readonly keys: readonly (UsageCounts & Pick<UsageEntry, 'key'>)[];
  readonly hasMore: boolean;
}

/** Rows of a page. */
export const pageSize = 50;

/** Cuts a page out of rows. @param rows of the page, and one more if there is another page */
export function pageOf<Row>(rows: readonly Row[]): {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
} {
  return { rows: rows.slice(0, pageSize), hasMore: rows.length > pageSize };
}

/** Redis is unavailable. The message says why. Not in `redis.ts`, so that catching it does not load the client. */
export class RedisUnavailable extends UserError {
  override readonly name = 'RedisUnavailable';

  constructor(message: string) {
    super(message);
    // Logged for each request in an outage, where the place in this program helps nobody.
    this.stack = `RedisUnavailable: ${message}`;
  }
}
