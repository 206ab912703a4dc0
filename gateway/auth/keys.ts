/** API keys in the database: the operator's functions work on any account, the others on the user's own. */
import { randomUUID } from 'node:crypto';
import type { InferResult } from 'kysely';
import type { Clock } from '../clock.ts';
import { digestOf } from '../key-check.ts';
import type { System } from '../system.ts';
import { findOrCreateAccount, isLive, isoOrNull, MissingError, RequestError, requireAccount } from './accounts.ts';
import { generateKey, startOf } from './key-format.ts';
import type { Database } from './store/tables.ts';
import { stateOf } from './verify-keys.ts';

/** Lists all keys, or those of the account with a name, oldest first. */
export async function listKeys(database: Database, clock: Clock, account?: string): Promise<KeyListing[]> {
  const all = selectKeys(database);
  const rows = account === undefined ? all : all.where('accounts.name', '=', account);
  return toListings(await rows.execute(), clock.now());
}

/** Lists the keys of an account, newest first. */
export async function listOwnKeys(database: Database, clock: Clock, accountId: string): Promise<KeyListing[]> {
  const rows = await selectKeys(database).where('keys.accountId', '=', accountId).execute();
  return toListings(rows, clock.now()).reverse();
}

async function readListing(database: Database, now: number, id: string): Promise<KeyListing> {
  const [listing] = toListings(await selectKeys(database).where('keys.id', '=', id).execute(), now);
  if (!listing) throw new Error('A key was deleted while it was changed.');
  return listing;
}

function selectKeys(database: Database) {
  return database
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.accountId')
    .select(['keys.id', 'keys.name', 'keys.start', 'keys.createdAt', 'keys.expiresAt', 'keys.revokedAt'])
    .select(['keys.lastUsedAt', 'keys.replacedBy', 'accounts.name as account', 'accounts.plan'])
    .orderBy('keys.createdAt')
    .orderBy('keys.id');
}

export type KeyListing = ReturnType<typeof toListings>[number];

/** Keys in a list: everything but the secret. Times are ISO 8601, UTC. */
function toListings(rows: readonly InferResult<ReturnType<typeof selectKeys>>[number][], now: number) {
  return rows.map(({ id, name, account, plan, start, ...row }) => ({
    id,
    name,
    account,
    plan,
    /** The key's first characters. */
    start,
    state: stateOf(row, now),
    createdAt: new Date(row.createdAt).toISOString(),
    expiresAt: isoOrNull(row.expiresAt),
    revokedAt: isoOrNull(row.revokedAt),
    /** To the minute. */
    lastUsedAt: isoOrNull(row.lastUsedAt),
    /** Id of the key that it was rotated to. */
    replacedBy: row.replacedBy,
  }));
}

/** Live keys of one account: enough for any user, and a limit on what one can store. */
const maxLiveKeys = 50;

/** A new key with its secret, which is not shown again. */
export type CreatedKey = KeyListing & { readonly key: string };

interface NewKey {
  readonly name?: string;
  /** Milliseconds from now; undefined: the key does not expire. */
  readonly lifetime?: number | undefined;
  readonly prefix: string;
  /** A key that `generateKey` has made; default: a new one. */
  readonly key?: string;
}

export interface NewOperatorKey extends NewKey {
  /** Name of the account, which is created if it is new. */
  readonly account: string;
  /** Undefined: the account's plan, or `fallbackPlan` for a new account. */
  readonly plan?: string | undefined;
  readonly fallbackPlan: string;
}

/** Creates a key for the operator. @throws RequestError when the account is on another plan */
export function createKey(database: Database, system: System, request: NewOperatorKey): Promise<CreatedKey> {
  return database.transaction().execute(async (transaction) => {
    const now = system.now();
    const plan = request.plan ?? request.fallbackPlan;
    const account = await findOrCreateAccount(transaction, now, request.account, plan);
    if (request.plan !== undefined && request.plan !== account.plan) {
      const problem = `The account "${account.name}" is on the plan "${account.plan}", not "${request.plan}".`;
      throw new RequestError(`${problem} To change it, run pastpaper accounts plan.`);
    }
    return insertKey(transaction, system, now, account.id, request);
  });
}

/** Creates a key for the owner of an account. @throws RequestError when the account has too many keys */
export function createOwnKey(
  database: Database,
  system: System,
  accountId: string,
  request: NewKey,
): Promise<CreatedKey> {
  return withLockedAccount(database, accountId, async (transaction) => {
    const now = system.now();
    await rejectTooMany(transaction, now, accountId);
    return insertKey(transaction, system, now, accountId, request);
  });
}

/**
 * Replaces a key by a new one with the same name and lifetime.
 *
 * @param overlap milliseconds for which the old key keeps working beside the new one
 * @throws MissingError when the account contains no such key
 * @throws RequestError when the key is not live or was rotated before, or when old and new keys would be too many
 */
export function rotateKey(
  database: Database,
  system: System,
  accountId: string,
  { id: oldId, overlap, prefix }: { readonly id: string; readonly overlap: number; readonly prefix: string },
): Promise<CreatedKey> {
  return withLockedAccount(database, accountId, async (transaction) => {
    const now = system.now();
    const old = await transaction
      .selectFrom('keys')
      .selectAll()
      .where((row) => row.and({ id: oldId, accountId }))
      .executeTakeFirst();
    if (!old) throw new MissingError('There is no such key.');
    const isActive = stateOf(old, now) === 'active';
    if (!isActive) throw new RequestError('This key is no longer active. Create a new one instead.');
    if (old.replacedBy !== null) throw new RequestError('This key was already rotated. Rotate the new one instead.');
    const expiresAt = Math.min(old.expiresAt ?? Number.MAX_SAFE_INTEGER, now + overlap);
    const end = overlap === 0 ? { revokedAt: now } : { expiresAt };
    await transaction.updateTable('keys').set(end).where('id', '=', oldId).execute();
    await rejectTooMany(transaction, now, accountId);
    const lifetime = old.expiresAt === null ? undefined : old.expiresAt - old.createdAt;
    const created = await insertKey(transaction, system, now, accountId, { name: old.name, lifetime, prefix });
    await transaction.updateTable('keys').set({ replacedBy: created.id }).where('id', '=', oldId).execute();
    return created;
  });
}

/**
 * Changes the keys of an account in a transaction, during which no one else changes them. The lock writes an unchanged
 * value, because SQLite has no `for update`.
 */
function withLockedAccount(
  database: Database,
  accountId: string,
  change: (transaction: Database) => Promise<CreatedKey>,
): Promise<CreatedKey> {
  return database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('accounts')
      .set((set) => ({ plan: set.ref('plan') }))
      .where('id', '=', accountId)
      .execute();
    return change(transaction);
  });
}

async function rejectTooMany(database: Database, now: number, accountId: string): Promise<void> {
  const { count } = await database
    .selectFrom('keys')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where(isLive(now))
    .executeTakeFirstOrThrow();
  if (count < maxLiveKeys) return;
  throw new RequestError(`An account can have at most ${maxLiveKeys} active keys. Revoke one first.`);
}

async function insertKey(
  database: Database,
  system: System,
  now: number,
  accountId: string,
  { name = '', lifetime, prefix, key = generateKey(prefix, system) }: NewKey,
): Promise<CreatedKey> {
  const id = `key_${randomUUID()}`;
  const start = startOf(key, prefix);
  const expiresAt = lifetime === undefined ? null : now + lifetime;
  const row = { id, accountId, name, hash: digestOf(key), start, createdAt: now, expiresAt };
  await database.insertInto('keys').values(row).execute();
  return { ...(await readListing(database, now, id)), key };
}

/**
 * Revokes a key for good, at once. Revoking it again changes nothing.
 *
 * @param idOrKey the key's id, or the key itself
 * @param accountId of the owner who revokes it; undefined: the operator does, whose key it may be
 * @throws MissingError when there is no such key
 */
export async function revokeKey(
  database: Database,
  clock: Clock,
  idOrKey: string,
  accountId?: string,
): Promise<KeyListing> {
  const now = clock.now();
  const named = revocation(database, now).where((row) => row.or({ id: idOrKey, hash: digestOf(idOrKey) }));
  const owned = accountId === undefined ? named : named.where('accountId', '=', accountId);
  const revoked = await owned.returning('id').executeTakeFirst();
  if (revoked) return readListing(database, now, revoked.id);
  const advice = accountId === undefined ? ' Run pastpaper keys list to see the ids.' : '';
  throw new MissingError(`There is no such key.${advice}`);
}

/**
 * Revokes every key of the account with a name, at once, and lists them.
 *
 * @throws MissingError when there is no such account
 */
export async function revokeKeysOfAccount(database: Database, clock: Clock, name: string): Promise<KeyListing[]> {
  const { id } = await requireAccount(database, name);
  await revocation(database, clock.now()).where('accountId', '=', id).execute();
  return listKeys(database, clock, name);
}

/** Starts an update that revokes keys. Those that are revoked already keep their date. */
function revocation(database: Database, now: number) {
  return database.updateTable('keys').set((set) => ({ revokedAt: set.fn.coalesce('revokedAt', set.val(now)) }));
}
