import type { Kysely } from 'kysely';

export type Database = Kysely<Tables>;

/** The database as a process uses it that checks keys and counts usage. */
export interface Store {
  readonly database: Database;
  /** The same database, for writes that neither requests nor the event loop should wait for. */
  readonly background: Database;
  /** Undefined for PostgreSQL. */
  readonly dataVersion: DataVersion | undefined;
  close(): Promise<void>;
}

export interface DataVersion {
  /**
   * Returns a number that changes with every change of the database, by whichever process, except for background
   * writes.
   *
   * @param refresh whether to look up changes by other connections
   * @throws the database's own error, while another process has locked it
   */
  current(refresh: boolean): number;
}

/**
 * The tables of the authentication service. Times are milliseconds since 1970, UTC. Another table, `logins`, is
 * better-auth's alone.
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

/** The owner of keys, plan and usage: a user who signed up, or a name that the operator chose. */
export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: number;
  /** Null if the operator created the account. */
  readonly userId: string | null;
  /** The keys of a blocked account are rejected, and its user cannot sign in. */
  readonly blockedAt: number | null;
}

export interface KeyRow {
  readonly id: string;
  readonly accountId: string;
  /** Given by its owner. */
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

/** Requests counted against the monthly quota. The account may be another authentication service's. */
interface MonthRow {
  readonly account: string;
  /** `YYYY-MM` */
  readonly month: string;
  readonly used: number;
}

/** The same requests by day, for the dashboard. */
interface DayRow {
  readonly account: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly used: number;
}

/** Counts that were written together: a write whose response was lost can be repeated. */
interface BatchRow {
  readonly id: string;
  readonly at: number;
}

/** A user who signed up. better-auth's table; only the columns that are read here. */
export interface UserRow {
  readonly id: string;
  readonly email: string;
}

/** A session. better-auth's table; only the columns that are read here. */
interface SessionRow {
  readonly userId: string;
  /** Text in SQLite, a date in PostgreSQL. */
  readonly expiresAt: string | Date;
}

/** A link in a mail. better-auth's table; only the columns that are read here. */
interface VerificationRow {
  /** For a link that sets a new password, the id of the user. */
  readonly value: string;
  readonly expiresAt: string | Date;
}
