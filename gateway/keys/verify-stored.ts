import type { Clock } from '../clock.ts';
import type { VerifyKey } from '../key-check.ts';
import type { Log } from '../operations/log.ts';
import type { Database } from './database.ts';
import { hashKey, isWellFormed } from './key.ts';
import { stateOf } from './keys.ts';

/**
 * Checks keys in the database, at every request: an expiry or revocation counts from the next one on,
 * whichever process it was made in.
 */
export function verifyStoredKeys(database: Database, prefix: string, clock: Clock, log: Log): VerifyKey {
  return async (token) => {
    if (!isWellFormed(token, prefix)) return { state: 'unknown' };
    try {
      const row = await database
        .selectFrom('keys')
        .innerJoin('accounts', 'accounts.id', 'keys.accountId')
        .select(['keys.id', 'keys.expiresAt', 'keys.revokedAt', 'accounts.id as account', 'accounts.plan'])
        .where('keys.hash', '=', hashKey(token))
        .executeTakeFirst();
      if (!row) return { state: 'unknown' };
      const { id, expiresAt, account, plan } = row;
      const state = stateOf(row, clock.now());
      if (state !== 'live') return { state };
      return { state: 'valid', account, keyId: id, plan, ...(expiresAt !== null && { expiresAt }) };
    } catch (error) {
      log('The keys could not be read.', error);
      return { state: 'unavailable' };
    }
  };
}
