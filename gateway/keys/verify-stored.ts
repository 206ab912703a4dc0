import type { Plans } from '../../build/release/plans.ts';
import type { Clock } from '../clock.ts';
import type { VerifyKey } from '../key-check.ts';
import type { Log } from '../operations/log.ts';
import { hashKey, isWellFormed } from './key.ts';
import type { LastUse } from './last-use.ts';
import { stateOf } from './listing.ts';
import type { Database } from './store/tables.ts';

/**
 * Checks keys in the database, at every request: an expiry or revocation counts from the next one on,
 * whichever process it was made in.
 *
 * @param prefix of every key
 * @param plans an account is on one of these
 */
export function verifyStoredKeys(
  database: Database,
  prefix: string,
  plans: Plans,
  lastUse: LastUse,
  clock: Clock,
  log: Log,
): VerifyKey {
  return async (token) => {
    if (!isWellFormed(token, prefix)) return { state: 'unknown' };
    try {
      const row = await findKey(database, hashKey(token));
      if (!row) return { state: 'unknown' };
      const { id, expiresAt, account, plan, blockedAt, lastUsedAt } = row;
      const now = clock.now();
      const state = blockedAt === null ? stateOf(row, now) : 'revoked';
      if (state !== 'live') return { state };
      if (!Object.hasOwn(plans, plan)) {
        log(`A key's account is on the plan "${plan}", which PLANS does not have.`);
        return { state: 'unavailable' };
      }
      lastUse.note(id, lastUsedAt, now);
      return { state: 'valid', account, keyId: id, plan, ...(expiresAt !== null && { expiresAt }) };
    } catch (error) {
      log('The keys could not be read.', error);
      return { state: 'unavailable' };
    }
  };
}

function findKey(database: Database, hash: string) {
  return database
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.accountId')
    .select(['keys.id', 'keys.expiresAt', 'keys.revokedAt', 'keys.lastUsedAt'])
    .select(['accounts.id as account', 'accounts.plan', 'accounts.blockedAt'])
    .where('keys.hash', '=', hash)
    .executeTakeFirst();
}
