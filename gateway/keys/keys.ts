import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Database } from './database.ts';
import { generateKey, hashKey, startOf } from './key.ts';
import type { KeyRow } from './tables.ts';

/** A key as lists show it: everything but the secret. Moments are ISO 8601, UTC. */
export interface KeyListing {
  readonly id: string;
  readonly account: string;
  readonly plan: string;
  /** The key's first characters. */
  readonly start: string;
  readonly state: KeyState;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export type KeyState = 'live' | 'expired' | 'revoked';

/** A new key: the only time that the secret is shown. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly account: string;
  readonly plan: string;
  readonly expiresAt: string | null;
}

/** A request that the keys as they are do not allow. The message says what and why. */
export class KeyRequestError extends Error {
  override readonly name = 'KeyRequestError';
}

export interface NewKey {
  /** Name of the account; one that is new is made. */
  readonly account: string;
  /** Undefined: the account's plan, or `fallbackPlan` for a new account. */
  readonly plan: string | undefined;
  readonly fallbackPlan: string;
  /** Milliseconds from now; undefined: the key does not expire. */
  readonly lifetime: number | undefined;
  readonly prefix: string;
}

/** @throws KeyRequestError when the account stands on another plan */
export function createKey(database: Database, clock: Clock, request: NewKey): Promise<CreatedKey> {
  return database.transaction().execute((transaction) => create(transaction, clock.now(), request));
}

async function create(database: Database, now: number, request: NewKey): Promise<CreatedKey> {
  const account = await findOrCreateAccount(
    database,
    now,
    request.account,
    request.plan ?? request.fallbackPlan,
  );
  if (request.plan !== undefined && request.plan !== account.plan) {
    throw new KeyRequestError(
      `The account "${account.name}" is on the plan "${account.plan}", not "${request.plan}".`,
    );
  }
  const key = generateKey(request.prefix);
  const row: KeyRow = {
    id: `key_${randomUUID()}`,
    accountId: account.id,
    hash: hashKey(key),
    start: startOf(key, request.prefix),
    createdAt: now,
    expiresAt: request.lifetime === undefined ? null : now + request.lifetime,
    revokedAt: null,
  };
  await database.insertInto('keys').values(row).execute();
  return { id: row.id, key, account: account.name, plan: account.plan, expiresAt: isoOrNull(row.expiresAt) };
}

/** All keys, or those of one account, oldest first. */
export async function listKeys(database: Database, clock: Clock, account?: string): Promise<KeyListing[]> {
  let query = listings(database);
  if (account !== undefined) query = query.where('accounts.name', '=', account);
  const rows = await query.orderBy('keys.createdAt').orderBy('keys.id').execute();
  return rows.map((row) => toListing(row, clock.now()));
}

/**
 * Revokes a key for good, at once. Revoking it again changes nothing.
 *
 * @param idOrKey the key's id, or the key itself
 * @throws KeyRequestError when there is no such key
 */
export function revokeKey(database: Database, clock: Clock, idOrKey: string): Promise<KeyListing> {
  return database.transaction().execute((transaction) => revoke(transaction, clock.now(), idOrKey));
}

async function revoke(database: Database, now: number, idOrKey: string): Promise<KeyListing> {
  const key = await database
    .selectFrom('keys')
    .select('id')
    .where((where) => where.or([where('id', '=', idOrKey), where('hash', '=', hashKey(idOrKey))]))
    .executeTakeFirst();
  if (!key) throw new KeyRequestError('There is no such key. The list of keys shows their ids.');
  await database
    .updateTable('keys')
    .set({ revokedAt: now })
    .where('id', '=', key.id)
    .where('revokedAt', 'is', null)
    .execute();
  return toListing(await listings(database).where('keys.id', '=', key.id).executeTakeFirstOrThrow(), now);
}

/** The plans that accounts are on. */
export async function plansInUse(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('accounts').select('plan').distinct().orderBy('plan').execute();
  return rows.map(({ plan }) => plan);
}

/** The state of a key at a moment. */
export function stateOf(
  { expiresAt, revokedAt }: Pick<KeyRow, 'expiresAt' | 'revokedAt'>,
  now: number,
): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'live';
}

async function findOrCreateAccount(database: Database, now: number, name: string, plan: string) {
  await database
    .insertInto('accounts')
    .values({ id: `acc_${randomUUID()}`, name, plan, createdAt: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return database.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
}

function listings(database: Database) {
  return database
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.accountId')
    .select(['keys.id', 'keys.start', 'keys.createdAt', 'keys.expiresAt', 'keys.revokedAt'])
    .select(['accounts.name as account', 'accounts.plan']);
}

type ListingRow = Omit<KeyRow, 'accountId' | 'hash'> & { readonly account: string; readonly plan: string };

function toListing({ id, account, plan, start, ...moments }: ListingRow, now: number): KeyListing {
  return {
    id,
    account,
    plan,
    start,
    state: stateOf(moments, now),
    createdAt: new Date(moments.createdAt).toISOString(),
    expiresAt: isoOrNull(moments.expiresAt),
    revokedAt: isoOrNull(moments.revokedAt),
  };
}

function isoOrNull(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}
