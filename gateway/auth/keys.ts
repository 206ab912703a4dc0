/** API keys in the database: the operator's functions work on any account, the others on the user's own. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import {
  findOrCreateAccount,
  isoOrNull,
  liveKeys,
  MissingError,
  RequestError,
  requireAccount,
} from './accounts.ts';
import { generateKey, hashKey, startOf } from './key-format.ts';
import type { Database, KeyRow } from './store/tables.ts';
import { type KeyState, stateOf } from './verify-keys.ts';

/** A key in a list: everything but the secret. Times are ISO 8601, UTC. */
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

/** Lists all keys, or those of the account with a name, oldest first. */
export async function listKeys(database: Database, clock: Clock, account?: string): Promise<KeyListing[]> {
  let query = selectListings(database);
  if (account !== undefined) query = query.where('accounts.name', '=', account);
  const rows = await query.orderBy('keys.createdAt').orderBy('keys.id').execute();
  return rows.map((row) => toListing(row, clock.now()));
}

/** Lists the keys of an account, newest first. */
export async function listOwnKeys(
  database: Database,
  clock: Clock,
  accountId: string,
): Promise<KeyListing[]> {
  const rows = await selectListings(database)
    .where('keys.accountId', '=', accountId)
    .orderBy('keys.createdAt', 'desc')
    .orderBy('keys.id')
    .execute();
  return rows.map((row) => toListing(row, clock.now()));
}

async function readListing(database: Database, now: number, id: string): Promise<KeyListing> {
  return toListing(await selectListings(database).where('keys.id', '=', id).executeTakeFirstOrThrow(), now);
}

function selectListings(database: Database) {
  return database
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.accountId')
    .select(['keys.id', 'keys.name', 'keys.start', 'keys.createdAt', 'keys.expiresAt', 'keys.revokedAt'])
    .select(['keys.lastUsedAt', 'keys.replacedBy', 'accounts.name as account', 'accounts.plan']);
}

type ListingRow = Omit<KeyRow, 'accountId' | 'hash'> & Pick<KeyListing, 'account' | 'plan'>;

function toListing({ id, name, account, plan, start, ...row }: ListingRow, now: number): KeyListing {
  return {
    id,
    name,
    account,
    plan,
    start,
    state: stateOf(row, now),
    createdAt: new Date(row.createdAt).toISOString(),
    expiresAt: isoOrNull(row.expiresAt),
    revokedAt: isoOrNull(row.revokedAt),
    lastUsedAt: isoOrNull(row.lastUsedAt),
    replacedBy: row.replacedBy,
  };
}

/** Live keys of one account: enough for any user, and a limit on what one can store. */
const maxLiveKeys = 50;

/** A new key. The secret is not shown again. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly account: string;
  readonly plan: string;
  readonly expiresAt: string | null;
}

/** A new key for its owner. */
export type OwnCreatedKey = KeyListing & { readonly key: string };

interface NewKey {
  readonly name?: string;
  /** Milliseconds from now; undefined: the key does not expire. */
  readonly lifetime: number | undefined;
  readonly prefix: string;
}

export interface NewOperatorKey extends NewKey {
  /** Name of the account, which is created if it is new. */
  readonly account: string;
  /** Undefined: the account's plan, or `fallbackPlan` for a new account. */
  readonly plan: string | undefined;
  readonly fallbackPlan: string;
}

/**
 * Creates a key for the operator.
 *
 * @throws RequestError when the account is on another plan
 */
export function createKey(database: Database, clock: Clock, request: NewOperatorKey): Promise<CreatedKey> {
  return database.transaction().execute(async (transaction) => {
    const now = clock.now();
    const plan = request.plan ?? request.fallbackPlan;
    const account = await findOrCreateAccount(transaction, now, request.account, plan);
    if (request.plan !== undefined && request.plan !== account.plan) {
      throw new RequestError(
        `The account "${account.name}" is on the plan "${account.plan}", not "${request.plan}".`,
      );
    }
    const { id, key, expiresAt } = await insertKey(transaction, now, account.id, request);
    return { id, key, account: account.name, plan: account.plan, expiresAt: isoOrNull(expiresAt) };
  });
}

/**
 * Creates a key for the owner of an account.
 *
 * @throws RequestError when the account has too many keys
 */
export function createOwnKey(
  database: Database,
  clock: Clock,
  accountId: string,
  request: NewKey,
): Promise<OwnCreatedKey> {
  return database.transaction().execute(async (transaction) => {
    const now = clock.now();
    await lockAccount(transaction, accountId);
    await rejectTooMany(transaction, now, accountId);
    const { id, key } = await insertKey(transaction, now, accountId, request);
    return { ...(await readListing(transaction, now, id)), key };
  });
}

interface Rotation {
  readonly id: string;
  /** Milliseconds for which the old key keeps working beside the new one. */
  readonly overlap: number;
  readonly prefix: string;
}

/**
 * Replaces a key by a new one with the same name and lifetime.
 *
 * @throws MissingError when the account has no such key
 * @throws RequestError when the key is not live or was rotated before, or when old and new keys would be too many
 */
export function rotateKey(
  database: Database,
  clock: Clock,
  accountId: string,
  { id: oldId, overlap, prefix }: Rotation,
): Promise<OwnCreatedKey> {
  return database.transaction().execute(async (transaction) => {
    const now = clock.now();
    await lockAccount(transaction, accountId);
    const old = await transaction
      .selectFrom('keys')
      .selectAll()
      .where('id', '=', oldId)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (!old) throw new MissingError('There is no such key.');
    if (stateOf(old, now) !== 'live') {
      throw new RequestError('This key is no longer active. Create a new one instead.');
    }
    if (old.replacedBy !== null) {
      throw new RequestError('This key was already rotated. Rotate the new one instead.');
    }
    const end =
      overlap === 0
        ? { revokedAt: now }
        : { expiresAt: Math.min(old.expiresAt ?? Number.MAX_SAFE_INTEGER, now + overlap) };
    await transaction.updateTable('keys').set(end).where('id', '=', oldId).execute();
    await rejectTooMany(transaction, now, accountId);
    const lifetime = old.expiresAt === null ? undefined : old.expiresAt - old.createdAt;
    const { id, key } = await insertKey(transaction, now, accountId, { name: old.name, lifetime, prefix });
    await transaction.updateTable('keys').set({ replacedBy: id }).where('id', '=', oldId).execute();
    return { ...(await readListing(transaction, now, id)), key };
  });
}

/**
 * Locks the account until the transaction ends, so that no one else changes its keys. It writes an unchanged value,
 * because SQLite has no `for update`.
 */
async function lockAccount(database: Database, accountId: string): Promise<void> {
  await database
    .updateTable('accounts')
    .set((set) => ({ plan: set.ref('plan') }))
    .where('id', '=', accountId)
    .execute();
}

async function rejectTooMany(database: Database, now: number, accountId: string): Promise<void> {
  const { count } = await liveKeys(database, now)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  if (count < maxLiveKeys) return;
  throw new RequestError(`An account can have at most ${maxLiveKeys} active keys. Revoke one first.`);
}

async function insertKey(
  database: Database,
  now: number,
  accountId: string,
  { name = '', lifetime, prefix }: NewKey,
): Promise<{ id: string; key: string; expiresAt: number | null }> {
  const key = generateKey(prefix);
  const id = `key_${randomUUID()}`;
  const expiresAt = lifetime === undefined ? null : now + lifetime;
  const row: KeyRow = {
    id,
    accountId,
    name,
    hash: hashKey(key),
    start: startOf(key, prefix),
    createdAt: now,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
  };
  await database.insertInto('keys').values(row).execute();
  return { id, key, expiresAt };
}

/**
 * Revokes a key for good, at once. Revoking it again changes nothing.
 *
 * @param idOrKey the key's id, or the key itself
 * @throws MissingError when there is no such key
 */
export function revokeKey(database: Database, clock: Clock, idOrKey: string): Promise<KeyListing> {
  return database.transaction().execute(async (transaction) => {
    const key = await transaction
      .selectFrom('keys')
      .select('id')
      .where((where) => where.or([where('id', '=', idOrKey), where('hash', '=', hashKey(idOrKey))]))
      .executeTakeFirst();
    if (!key) throw new MissingError('There is no such key. npm run keys -- list shows the ids.');
    return revoke(transaction, clock.now(), key.id);
  });
}

/**
 * Revokes a key for the owner of an account.
 *
 * @throws MissingError when the account has no such key
 */
export function revokeOwnKey(
  database: Database,
  clock: Clock,
  accountId: string,
  id: string,
): Promise<KeyListing> {
  return database.transaction().execute(async (transaction) => {
    const key = await transaction
      .selectFrom('keys')
      .select('id')
      .where('id', '=', id)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (!key) throw new MissingError('There is no such key.');
    return revoke(transaction, clock.now(), key.id);
  });
}

/**
 * Revokes every key of an account, at once.
 *
 * @param name of the account
 * @returns all of its keys
 * @throws MissingError when there is no such account
 */
export function revokeKeysOfAccount(database: Database, clock: Clock, name: string): Promise<KeyListing[]> {
  return database.transaction().execute(async (transaction) => {
    const { id } = await requireAccount(transaction, name);
    await transaction
      .updateTable('keys')
      .set({ revokedAt: clock.now() })
      .where('accountId', '=', id)
      .where('revokedAt', 'is', null)
      .execute();
    return listKeys(transaction, clock, name);
  });
}

async function revoke(database: Database, now: number, id: string): Promise<KeyListing> {
  await database
    .updateTable('keys')
    .set({ revokedAt: now })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .execute();
  return readListing(database, now, id);
}
