import type { Kysely } from 'kysely';

/** The store: what runs on any of the engines. */
export type Database = Kysely<Tables>;

/**
 * The tables of the authentication service. Moments are milliseconds since 1970, UTC. Beside them stand
 * `logins`, which only better-auth reads and writes.
 */
export interface Tables {
  readonly accounts: AccountRow;
  readonly keys: KeyRow;
  readonly usage: MonthRow;
  readonly dailyUsage: DayRow;
  readonly usageBatches: BatchRow;
  readonly users: UserRow;
  readonly sessions: SessionRow;
  readonly verifications: VerificationRow;
}

/** Whom keys, plan and usage belong to: a person who signed up, or a name that the operator gave. */
export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: number;
  /** The person's; null where the operator made the account. */
  readonly userId: string | null;
  /** None of a blocked account's keys works, and no one signs in to it. */
  readonly blockedAt: number | null;
}

export interface KeyRow {
  readonly id: string;
  readonly accountId: string;
  /** What its owner calls it. */
  readonly name: string;
  /** Hex SHA-256 of the key. */
  readonly hash: string;
  /** The key's first characters. */
  readonly start: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** To the minute. */
  readonly lastUsedAt: number | null;
  /** Id of the key that it was rotated to. */
  readonly replacedBy: string | null;
}

/** Requests counted against the monthly quota. The account may be one of another service. */
export interface MonthRow {
  readonly account: string;
  /** `YYYY-MM` */
  readonly month: string;
  readonly used: number;
}

/** The same requests by day, to be shown. */
export interface DayRow {
  readonly account: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly used: number;
}

/** Counts that were written together: whoever does not know whether they were can try it once more. */
export interface BatchRow {
  readonly id: string;
  readonly at: number;
}

/** A person who signed up. better-auth's table; only what is read here. */
export interface UserRow {
  readonly id: string;
  readonly email: string;
}

/** Where a person is signed in. better-auth's table; only what is read here. */
export interface SessionRow {
  readonly userId: string;
  /** SQLite has it as text, PostgreSQL as a date. */
  readonly expiresAt: string | Date;
}

/** A link that someone was sent. better-auth's table; only what is read here. */
export interface VerificationRow {
  /** Id of the user, for a link to set a new password. */
  readonly value: string;
  readonly expiresAt: string | Date;
}
