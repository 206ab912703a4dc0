/** API keys in the database: the operator's functions work on any account, the others on the user's own. */
import { randomUUID } from 'node:crypto';
import { type InferResult, sql } from 'kysely';
import { digestOf } from '../access/require-key.ts';
import type { Clock, System } from '../clock.ts';
import { pageOf, pageSize } from '../limits/store.ts';
import { findOrCreateAccount, isoOrNull, keyEnd, lockAccount, RequestError } from './accounts.ts';
import type { Database } from './store/tables.ts';
import { addCounts, sums } from './usage.ts';
import { generateKey, startOf, stateOf } from './verify-keys.ts';

/** A page of keys. */
export interface KeyPage {
  readonly keys: readonly KeyListing[];
  /** Whether there is another page. */
  readonly hasMore: boolean;
}

/** Lists a page of all keys, or of those of the account with a name, oldest first. @param page from 1 */
export function listKeys(
  database: Database,
  clock: Clock,
  account?: string,
  page = 1,
): Promise<KeyPage> {
  const all = selectKeys(database).orderBy('keys.createdAt').orderBy('keys.id');
  const selected = account === undefined ? all : all.where('accounts.name', '=', account);
  return readPage(selected, clock.now(), page);
}

/** Lists a page of the keys of an account: the active ones, newest first, then those that ended last. @param page from 1 */
export function listOwnKeys(
  database: Database,
  clock: Clock,
  accountId: string,
  page = 1,
): Promise<KeyPage> {
  const now = clock.now();
  const isEnded = sql<boolean>`${keyEnd} <= ${now}`;
  const own = selectKeys(database)
    .where('keys.accountId', '=', accountId)
    .orderBy(isEnded)
    .orderBy(sql`case when ${isEnded} then ${keyEnd} else keys."createdAt" end`, 'desc')
    .orderBy('keys.id', 'desc');
  return readPage(own, now, page);
}

async function readPage(
  selected: ReturnType<typeof selectKeys>,
  now: number,
  page: number,
): Promise<KeyPage> {
  const found = selected.offset((page - 1) * pageSize).limit(pageSize + 1);
  const { rows, hasMore } = pageOf(await found.execute());
  return { keys: rows.map((row) => toListing(row, now)), hasMore };
}

/** Reads names and first characters of keys by their ids. */
export async function namesOf(database: Database, ids: readonly string[]) {
  // PostgreSQL rejects an empty list.
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('keys')
    .select(['id', 'name', 'start'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Milliseconds for which revoked and expired keys are listed, with their usage. */
export const endedKeyAge = 90 * 86_400_000;

/** Revoked and expired keys of an account that are listed. */
const maxEndedKeys = 200;

/** Keys that are removed in one transaction. */
const maxRemoved = 500;

/**
 * Removes the keys that were revoked or expired 90 days ago. Their usage stays, as that of the account without a key.
 *
 * @param now milliseconds since 1970, UTC
 */
export async function removeEndedKeys(database: Database, now: number): Promise<void> {
  const end = now - endedKeyAge;
  const ended = database.selectFrom('keys').select('id').where(keyEnd, '<=', end).limit(maxRemoved);
  for (;;) {
    const keys = await ended.execute();
    if (keys.length === 0) return;
    await database.transaction().execute((transaction) => removeKeys(transaction, keys));
  }
}

/** Removes the keys of an account that ended before its last 200. */
async function removeOldestEnded(
  transaction: Database,
  accountId: string,
  now: number,
): Promise<void> {
  const oldest = await transaction
    .selectFrom('keys')
    .select('id')
    .where('accountId', '=', accountId)
    .where(keyEnd, '<=', now)
    .orderBy(keyEnd, 'desc')
    .orderBy('id', 'desc')
    .offset(maxEndedKeys)
    .limit(maxRemoved)
    .execute();
  if (oldest.length > 0) await removeKeys(transaction, oldest);
}

/** Removes keys, and adds their usage to that of no key. */
async function removeKeys(
  transaction: Database,
  keys: readonly { readonly id: string }[],
): Promise<void> {
  const ids = keys.map(({ id }) => id);
  await transaction
    .insertInto('keyUsage')
    .columns(['account', 'day', 'key', 'used', 'rejectedByRate', 'rejectedByQuota'])
    .expression((usage) =>
      usage
        .selectFrom('keyUsage')
        .select(['account', 'day', sql.lit('').as('key')])
        .select(sums)
        .where('key', 'in', ids)
        .groupBy(['account', 'day']),
    )
    .onConflict(addCounts)
    .execute();
  await transaction.deleteFrom('keyUsage').where('key', 'in', ids).execute();
  await transaction.deleteFrom('keys').where('id', 'in', ids).execute();
}

async function readListing(database: Database, now: number, id: string): Promise<KeyListing> {
  const row = await selectKeys(database).where('keys.id', '=', id).executeTakeFirst();
  if (!row) throw new RequestError('The account was deleted meanwhile.', 401);
  return toListing(row, now);
}

function selectKeys(database: Database) {
  return database
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.accountId')
    .select([
      'keys.id',
      'keys.name',
      'keys.start',
      'keys.createdAt',
      'keys.expiresAt',
      'keys.revokedAt',
    ])
    .select(['keys.lastUsedAt', 'keys.replacedBy', 'accounts.name as account', 'accounts.plan']);
}

type ListedRow = InferResult<ReturnType<typeof selectKeys>>[number];

export type KeyListing = ReturnType<typeof toListing>;

/** A key in a list: everything but the secret. Times are ISO 8601, UTC. */
function toListing({ id, name, account, plan, start, ...row }: ListedRow, now: number) {
  return {
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
  };
}

/** A new key with its secret, which is not shown again. */
export type CreatedKey = KeyListing & { readonly key: string };

interface NewKey {
  readonly name?: string;
  /** Milliseconds from now; undefined: the key does not expire. */
  readonly lifetime?: number | undefined;
  readonly prefix: string;
  /** A key that `generateKey` has made; default: a new one. */
  readonly key?: string;
  /** Active keys that an account can have. */
  readonly maxKeys: number;
}

export interface NewOperatorKey extends NewKey {
  /** Name of the account, which is created if it is new. */
  readonly account: string;
  /** Undefined: the account's plan, or `fallbackPlan` for a new account. */
  readonly plan?: string | undefined;
  readonly fallbackPlan: string;
}

/** Creates a key for the operator. @throws RequestError when the account is on another plan, or has too many keys */
export function createKey(
  database: Database,
  system: System,
  request: NewOperatorKey,
): Promise<CreatedKey> {
  return database.transaction().execute(async (transaction) => {
    const plan = request.plan ?? request.fallbackPlan;
    const account = await findOrCreateAccount(transaction, system.now(), request.account, plan);
    if (request.plan !== undefined && request.plan !== account.plan) {
      const problem = `The account "${account.name}" is on the plan "${account.plan}", not "${request.plan}".`;
      throw new RequestError(`${problem} To change it, run npx pastpaper accounts plan.`);
    }
    return insertKey(transaction, system, account.id, request);
  });
}

/** Creates a key for the owner of an account. @throws RequestError when the account has too many keys */
export function createOwnKey(
  database: Database,
  system: System,
  accountId: string,
  request: NewKey,
): Promise<CreatedKey> {
  return database
    .transaction()
    .execute((transaction) => insertKey(transaction, system, accountId, request));
}

/**
 * Replaces a key by a new one with the same name and lifetime.
 *
 * @param overlap milliseconds for which the old key keeps working beside the new one
 * @throws RequestError when the account has no such key, when it is not active or was rotated before, or when old and
 *   new keys would be too many
 */
export function rotateKey(
  database: Database,
  system: System,
  accountId: string,
  {
    id: oldId,
    overlap,
    ...rules
  }: Pick<NewKey, 'prefix' | 'maxKeys'> & { readonly id: string; readonly overlap: number },
): Promise<CreatedKey> {
  return database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, accountId);
    const now = system.now();
    const old = await transaction
      .selectFrom('keys')
      .selectAll()
      .where((row) => row.and({ id: oldId, accountId }))
      .executeTakeFirst();
    if (!old) throw new RequestError('There is no such key.', 404);
    if (stateOf(old, now) !== 'active')
      throw new RequestError('This key is no longer active. Create a new one instead.');
    if (old.replacedBy !== null)
      throw new RequestError('This key was already rotated. Rotate the new one instead.');
    const id = newId();
    const expiresAt = Math.min(old.expiresAt ?? Number.MAX_SAFE_INTEGER, now + overlap);
    const end = overlap === 0 ? { revokedAt: now } : { expiresAt };
    await transaction
      .updateTable('keys')
      .set({ ...end, replacedBy: id })
      .where('id', '=', oldId)
      .execute();
    const lifetime = old.expiresAt === null ? undefined : old.expiresAt - old.createdAt;
    return insertKey(transaction, system, accountId, { ...rules, name: old.name, lifetime }, id);
  });
}

function newId(): string {
  return `key_${randomUUID()}`;
}

/** Inserts a key in a transaction, during which no one else changes the keys of the account. */
async function insertKey(
  transaction: Database,
  system: System,
  accountId: string,
  { name = '', lifetime, prefix, maxKeys, key = generateKey(prefix, system) }: NewKey,
  id = newId(),
): Promise<CreatedKey> {
  await lockAccount(transaction, accountId);
  const now = system.now();
  const { count } = await transaction
    .selectFrom('keys')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where(keyEnd, '>', now)
    .executeTakeFirstOrThrow();
  if (count >= maxKeys)
    throw new RequestError(`An account can have at most ${maxKeys} active keys. Revoke one first.`);
  await removeOldestEnded(transaction, accountId, now);
  const start = startOf(key, prefix);
  const expiresAt = lifetime === undefined ? null : now + lifetime;
  const row = { id, accountId, name, hash: digestOf(key), start, createdAt: now, expiresAt };
  await transaction.insertInto('keys').values(row).execute();
  return { ...(await readListing(transaction, now, id)), key };
}

/**
 * Revokes a key for good, at once. Revoking it again changes nothing.
 *
 * @param idOrKey the key's id, or the key itself
 * @param accountId of the owner who revokes it; undefined: the operator does, whose key it may be
 * @throws RequestError when there is no such key
 */
export async function revokeKey(
  database: Database,
  clock: Clock,
  idOrKey: string,
  accountId?: string,
): Promise<KeyListing> {
  const now = clock.now();
  // One that is revoked already keeps its date.
  const named = database
    .updateTable('keys')
    .set((set) => ({ revokedAt: set.fn.coalesce('revokedAt', set.val(now)) }))
    .where((row) => row.or({ id: idOrKey, hash: digestOf(idOrKey) }));
  const owned = accountId === undefined ? named : named.where('accountId', '=', accountId);
  const revoked = await owned.returning('id').executeTakeFirst();
  if (revoked) return readListing(database, now, revoked.id);
  const advice = accountId === undefined ? ' Run npx pastpaper keys list to see the ids.' : '';
  throw new RequestError(`There is no such key.${advice}`, 404);
}
