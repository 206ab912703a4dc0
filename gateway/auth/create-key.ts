import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { findOrCreateAccount } from './accounts.ts';
import { generateKey, hashKey, startOf } from './key.ts';
import { isoOrNull, type KeyListing, listingOf, liveKeys, stateOf } from './listing.ts';
import { MissingError, RequestError } from './request-error.ts';
import type { Database, KeyRow } from './store/tables.ts';

/** Keys of one account that may work at the same time: enough for any, and a bound on what one can store. */
const mostLiveKeys = 50;

/** A new key: the only time that the secret is shown. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly account: string;
  readonly plan: string;
  readonly expiresAt: string | null;
}

/** A new key as its owner sees it, the secret included. */
export type OwnCreatedKey = KeyListing & { readonly key: string };

export interface NewKey {
  readonly name?: string;
  /** Milliseconds from now; undefined: the key does not expire. */
  readonly lifetime: number | undefined;
  readonly prefix: string;
}

export interface NewOperatorKey extends NewKey {
  /** Name of the account; one that is new is made. */
  readonly account: string;
  /** Undefined: the account's plan, or `fallbackPlan` for a new account. */
  readonly plan: string | undefined;
  readonly fallbackPlan: string;
}

/**
 * Makes a key for the account that the operator names.
 *
 * @throws RequestError when the account stands on another plan
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
 * Makes a key for the one who owns the account.
 *
 * @throws RequestError when the account has as many keys as it may
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
    await refuseTooMany(transaction, now, accountId);
    const { id, key } = await insertKey(transaction, now, accountId, request);
    return { ...(await listingOf(transaction, now, id)), key };
  });
}

export interface Rotation {
  readonly id: string;
  /** Milliseconds for which the old key goes on working beside the new one. */
  readonly overlap: number;
  readonly prefix: string;
}

/**
 * Replaces a key by a new one of the same name and lifetime.
 *
 * @throws MissingError when the account has no such key
 * @throws RequestError when it does not work any more or was rotated already, or when old and new would be more
 * keys than an account may have
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
      throw new RequestError('The key does not work any more: make a new one instead.');
    }
    if (old.replacedBy !== null) throw new RequestError('The key was rotated already: rotate the new one.');
    await retire(transaction, old, now, overlap);
    await refuseTooMany(transaction, now, accountId);
    const lifetime = old.expiresAt === null ? undefined : old.expiresAt - old.createdAt;
    const { id, key } = await insertKey(transaction, now, accountId, { name: old.name, lifetime, prefix });
    await transaction.updateTable('keys').set({ replacedBy: id }).where('id', '=', oldId).execute();
    return { ...(await listingOf(transaction, now, id)), key };
  });
}

async function retire(
  database: Database,
  { id, expiresAt }: KeyRow,
  now: number,
  overlap: number,
): Promise<void> {
  const end =
    overlap === 0
      ? { revokedAt: now }
      : { expiresAt: Math.min(expiresAt ?? Number.MAX_SAFE_INTEGER, now + overlap) };
  await database.updateTable('keys').set(end).where('id', '=', id).execute();
}

/**
 * Lets no one else change the account's keys until the transaction ends, by writing what is there: SQLite
 * knows no `for update`.
 */
async function lockAccount(database: Database, accountId: string): Promise<void> {
  await database
    .updateTable('accounts')
    .set((set) => ({ plan: set.ref('plan') }))
    .where('id', '=', accountId)
    .execute();
}

async function refuseTooMany(database: Database, now: number, accountId: string): Promise<void> {
  const { count } = await liveKeys(database, now)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  if (count < mostLiveKeys) return;
  throw new RequestError(`An account has at most ${mostLiveKeys} keys that work: revoke one first.`);
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
