import type { Plans } from '../../build/release/plans.ts';
import type { Clock } from '../clock.ts';
import { Digests } from '../digests.ts';
import type { KeyCheck, ValidKey, VerifyKey } from '../key-check.ts';
import type { Log } from '../log/log.ts';
import { KeptRows } from './kept-rows.ts';
import { isWellFormed } from './key.ts';
import type { LastUse } from './last-use.ts';
import { stateOf } from './listing.ts';
import type { Changes } from './store/store.ts';
import type { Database, KeyRow } from './store/tables.ts';

const unknown: KeyCheck = { state: 'unknown' };

/** What is known of a key: whether it can be used, and what of it depends on the moment. */
interface KnownKey {
  readonly row: Pick<KeyRow, 'id' | 'expiresAt' | 'revokedAt' | 'lastUsedAt'>;
  readonly blocked: boolean;
  readonly valid: ValidKey;
}

/**
 * Checks keys in the database, as it is at every request: an expiry or revocation counts from the next one on,
 * whichever process it was made in. Where the database can tell that nothing has changed, it is not read again.
 *
 * @param prefix of every key
 * @param plans an account is on one of these
 * @param changes of the database; undefined: it is read at every request
 */
export function verifyStoredKeys(
  database: Database,
  prefix: string,
  plans: Plans,
  lastUse: LastUse,
  clock: Clock,
  log: Log,
  changes?: Changes,
): VerifyKey {
  const digests = new Digests();
  const kept = changes && new KeptRows<KnownKey>(changes);

  function judge(key: KnownKey | null | undefined): KeyCheck {
    if (!key) return unknown;
    const { row, blocked, valid } = key;
    const now = clock.now();
    const state = blocked ? 'revoked' : stateOf(row, now);
    if (state !== 'live') return { state };
    if (!Object.hasOwn(plans, valid.plan)) {
      log(`A key's account is on the plan "${valid.plan}", which PLANS does not have.`);
      return { state: 'unavailable' };
    }
    lastUse.note(row.id, row.lastUsedAt, now);
    return valid;
  }

  async function ask(hash: string): Promise<KeyCheck> {
    const read = () => findKey(database, hash);
    try {
      return judge(await (kept ? kept.read(hash, read) : read()));
    } catch (error) {
      log('The keys could not be read.', error);
      return { state: 'unavailable' };
    }
  }

  return (token, connection) => {
    const hash = digests.of(token, connection);
    const known = kept?.get(hash);
    if (known !== undefined) return judge(known);
    return isWellFormed(token, prefix) ? ask(hash) : unknown;
  };
}

async function findKey(database: Database, hash: string): Promise<KnownKey | undefined> {
  const found = await database
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.accountId')
    .select(['keys.id', 'keys.expiresAt', 'keys.revokedAt', 'keys.lastUsedAt'])
    .select(['accounts.id as account', 'accounts.plan', 'accounts.blockedAt'])
    .where('keys.hash', '=', hash)
    .executeTakeFirst();
  if (!found) return undefined;
  const { account, plan, blockedAt, ...row } = found;
  const expiry = row.expiresAt === null ? {} : { expiresAt: row.expiresAt };
  return {
    row,
    blocked: blockedAt !== null,
    valid: { state: 'valid', account, keyId: row.id, plan, ...expiry },
  };
}
