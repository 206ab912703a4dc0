import type { Kysely } from 'kysely';
import type { UsageEntry } from '../../limits/store.ts';

export type Database = Kysely<Tables>;

/**
 * The tables of the authentication service. Times are milliseconds since 1970, UTC. The last four are better-auth's,
 * with the columns that are read here.
 */
export interface Tables {
  readonly accounts: AccountRow;
  readonly keys: KeyRow;
  /** Requests counted against the quota of a month, `YYYY-MM`. The account may be another authentication service's. */
  readonly usage: { readonly account: string; readonly month: string; readonly used: number };
  /** Requests by day, key and outcome, for the dashboard. */
  readonly keyUsage: UsageEntry;
  /** Counts that were written together: a write whose response was lost can be repeated. */
  readonly usageBatches: { readonly id: string; readonly at: number };
  readonly users: UserRow;
  readonly sessions: SessionRow;
  /** Ways in which a user signs in: with a password (`credential`), or through a provider. */
  readonly logins: { readonly userId: string; readonly providerId: string };
  /** Links in mails. For a link that sets a new password, the value is the id of the user. */
  readonly verifications: { readonly value: string; readonly expiresAt: string | Date };
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
  /** 1: its user gets an email when most of a month's quota is used; 0: none. */
  readonly quotaMail: number;
  /** The last month for which that email was sent, `YYYY-MM`. */
  readonly quotaMailMonth: string | null;
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
  /** When its owner got the email that it expires soon. */
  readonly expiryMailAt: number | null;
}

/** Times of better-auth are text in SQLite, dates in PostgreSQL. */
export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: string | Date;
  /** Changes when the session is extended. */
  readonly updatedAt: string | Date;
  readonly expiresAt: string | Date;
  /** As `browserOf` names it; sessions of earlier versions have none. */
  readonly userAgent: string | null;
}

export type OwnSession = Pick<SessionRow, 'id' | 'userId'>;

/** A user who signed up. */
export interface UserRow {
  readonly id: string;
  readonly email: string;
}
