/** Where a month's counts last beyond the process. */
export interface UsageLedger {
  /** Requests of an account counted in a month, `YYYY-MM`. */
  read(account: string, month: string): Promise<number>;
  /**
   * Adds to what is counted: all of a batch, or none. A batch that comes again, because no one knows whether it
   * arrived, is counted once.
   *
   * @returns the totals of the months then: other processes may have added too
   */
  add(batch: UsageBatch): Promise<readonly UsageTotal[]>;
}

export interface UsageBatch {
  readonly id: string;
  /** When it was put together: milliseconds since 1970, UTC. */
  readonly at: number;
  readonly entries: readonly UsageEntry[];
}

/** Requests of an account on a day, `YYYY-MM-DD` in UTC. */
export interface UsageEntry {
  readonly account: string;
  readonly day: string;
  readonly count: number;
}

/** Requests of an account in a month, `YYYY-MM` in UTC. */
export interface UsageTotal {
  readonly account: string;
  readonly month: string;
  readonly used: number;
}

/** What is counted, for people to look at. */
export interface UsageReader {
  /** Requests of an account counted in a month, `YYYY-MM`. */
  read(account: string, month: string): Promise<number>;
  /** The days of a month on which an account was used, in order. */
  readDays(account: string, month: string): Promise<readonly UsageDay[]>;
}

/** Requests on a day, `YYYY-MM-DD` in UTC. */
export interface UsageDay {
  readonly day: string;
  readonly used: number;
}
