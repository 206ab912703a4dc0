import type { Clock } from '../clock.ts';
import { requireAccount } from './accounts.ts';
import { hashKey } from './key.ts';
import { type KeyListing, listingOf, listKeys } from './listing.ts';
import { MissingError } from './request-error.ts';
import type { Database } from './store/tables.ts';

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
    if (!key) throw new MissingError('There is no such key. The list of keys shows their ids.');
    return revoke(transaction, clock.now(), key.id);
  });
}

/**
 * Revokes a key for the one who owns the account.
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
  return listingOf(database, now, id);
}
