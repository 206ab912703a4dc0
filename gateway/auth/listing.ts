import type { Clock } from '../clock.ts';
import type { Database, KeyRow } from './store/tables.ts';

/** A key as lists show it: everything but the secret. Moments are ISO 8601, UTC. */
export interface KeyListing {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly plan: string;
  /** The key's first characters. */
  readonly start: string;
  readonly state: KeyState;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** To the minute. */
  readonly lastUsedAt: string | null;
  /** Id of the key that it was rotated to. */
  readonly replacedBy: string | null;
}

export type KeyState = 'live' | 'expired' | 'revoked';

/** The state of a key at a moment. */
export function stateOf(
  { expiresAt, revokedAt }: Pick<KeyRow, 'expiresAt' | 'revokedAt'>,
  now: number,
): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'live';
}

/** The keys that work at a moment, for a query to go on from. */
export function liveKeys(database: Database, now: number) {
  return database
    .selectFrom('keys')
    .where('revokedAt', 'is', null)
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]));
}

/** All keys, or those of the account with a name, oldest first. */
export async function listKeys(database: Database, clock: Clock, account?: string): Promise<KeyListing[]> {
  let query = listings(database);
  if (account !== undefined) query = query.where('accounts.name', '=', account);
  const rows = await query.orderBy('keys.createdAt').orderBy('keys.id').execute();
  return rows.map((row) => toListing(row, clock.now()));
}

/** The keys of an account, newest first. */
export async function listOwnKeys(
  database: Database,
  clock: Clock,
  accountId: string,
): Promise<KeyListing[]> {
  const rows = await listings(database)
    .where('keys.accountId', '=', accountId)
    .orderBy('keys.createdAt', 'desc')
    .orderBy('keys.id')
    .execute();
  return rows.map((row) => toListing(row, clock.now()));
}

/** A key that exists. */
export async function listingOf(database: Database, now: number, id: string): Promise<KeyListing> {
  return toListing(await listings(database).where('keys.id', '=', id).executeTakeFirstOrThrow(), now);
}

export function isoOrNull(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}

function listings(database: Database) {
  return database
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.accountId')
    .select(['keys.id', 'keys.name', 'keys.start', 'keys.createdAt', 'keys.expiresAt', 'keys.revokedAt'])
    .select(['keys.lastUsedAt', 'keys.replacedBy', 'accounts.name as account', 'accounts.plan']);
}

type ListingRow = Omit<KeyRow, 'accountId' | 'hash'> & {
  readonly account: string;
  readonly plan: string;
};

function toListing(
  { id, name, account, plan, start, replacedBy, ...moments }: ListingRow,
  now: number,
): KeyListing {
  return {
    id,
    name,
    account,
    plan,
    start,
    state: stateOf(moments, now),
    createdAt: new Date(moments.createdAt).toISOString(),
    expiresAt: isoOrNull(moments.expiresAt),
    revokedAt: isoOrNull(moments.revokedAt),
    lastUsedAt: isoOrNull(moments.lastUsedAt),
    replacedBy,
  };
}
