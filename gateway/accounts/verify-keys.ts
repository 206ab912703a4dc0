import { crc32 } from 'node:zlib';
import type { Plans } from '../../build/release/plans.ts';
import { cached, type KeyCheck, type VerifyKey } from '../access/require-key.ts';
import type { Clock, System } from '../clock.ts';
import { backgroundWriter } from '../limits/in-process.ts';
import { type Log, outageLog } from '../log/logger.ts';
import type { Database, KeyRow } from './store/tables.ts';

/** Milliseconds for which checks are cached: revocation takes effect within a second, whichever process it was made in. */
const ages = { valid: 1000, rejected: 1000 };

/**
 * Checks keys against the database.
 *
 * @param prefix of every key
 * @param plans that accounts may be on
 */
export function verifyStoredKeys(
  database: Database,
  prefix: string,
  plans: Plans,
  lastUsed: LastUsedWriter,
  clock: Clock,
  log: Log,
): VerifyKey {
  const outage = outageLog(log);

  async function lookUp(_token: string, digest: string): Promise<KeyCheck> {
    try {
      const check = await read(digest);
      if (outage.isOngoing) outage.end('The keys can be read again.');
      return check;
    } catch (error) {
      outage.begin('The keys could not be read.', error);
      return { state: 'unavailable' };
    }
  }

  async function read(digest: string): Promise<KeyCheck> {
    const row = await database
      .selectFrom('keys')
      .innerJoin('accounts', 'accounts.id', 'keys.accountId')
      .select(['keys.id', 'keys.expiresAt', 'keys.revokedAt', 'keys.lastUsedAt'])
      .select(['accounts.id as account', 'accounts.plan', 'accounts.blockedAt'])
      .where('keys.hash', '=', digest)
      .executeTakeFirst();
    if (!row) return { state: 'unknown' };
    const { id: keyId, account, plan, expiresAt } = row;
    const now = clock.now();
    const state = row.blockedAt === null ? stateOf(row, now) : 'revoked';
    if (state !== 'active') return { state };
    if (!Object.hasOwn(plans, plan)) {
      log(`A key's account is on the plan "${plan}", which is not configured.`);
      return { state: 'unavailable' };
    }
    lastUsed.record(row, now);
    return { state: 'valid', account, keyId, plan, ...(expiresAt !== null && { expiresAt }) };
  }

  return cached(lookUp, ages, clock, (token) => isWellFormed(token, prefix));
}

/** @param now milliseconds since 1970, UTC */
export function stateOf(
  { expiresAt, revokedAt }: Pick<KeyRow, 'expiresAt' | 'revokedAt'>,
  now: number,
) {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** Milliseconds within which further uses are not written, so that a busy key costs one write a minute. */
const precision = 60_000;

/** Keys in a write, and keys that wait for one. */
const maxKeysPerWrite = 50;
const maxWaiting = 50_000;

export type LastUsedWriter = ReturnType<typeof lastUsedWriter>;

/** Writes when keys were last used, for their owners to see. */
export function lastUsedWriter(database: Database, log: Log) {
  const unwritten = new Set<string>();
  let latest = 0;
  /** A full disk is logged once, not twice a second. */
  const outage = outageLog(log);
  const writer = backgroundWriter(write, () => unwritten.size > 0);

  /** A failed write is not retried: the next look-up of the key is recorded again. */
  async function write(): Promise<void> {
    const ids = [...unwritten].slice(0, maxKeysPerWrite);
    for (const id of ids) unwritten.delete(id);
    if (ids.length === 0) return;
    try {
      await database
        .updateTable('keys')
        .set({ lastUsedAt: latest })
        // Sorted in every process, so that two seldom wait for each other's rows.
        .where('id', 'in', ids.sort())
        .execute();
      outage.end();
    } catch (error) {
      outage.begin('The last use of keys could not be written.', error);
    }
  }

  return {
    /** Records a use. @param now milliseconds since 1970, UTC */
    record({ id, lastUsedAt }: Pick<KeyRow, 'id' | 'lastUsedAt'>, now: number): void {
      if (lastUsedAt !== null && Math.abs(now - lastUsedAt) < precision) return;
      if (unwritten.size >= maxWaiting) return;
      unwritten.add(id);
      latest = now;
      writer.schedule();
    },

    /** Writes what is recorded. */
    async close(): Promise<void> {
      await writer.close();
      while (unwritten.size > 0) await write();
    },
  };
}

/**
 * An API key: a prefix, 32 random bytes in base62, and a checksum of six characters over both. The checksum rejects
 * typing errors and guesses without a query, and lets leak scanners recognize a key.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
/** Base62 digits of 32 bytes, and of the 32 bits of a CRC. */
const bodyLength = 43;
const checksumLength = 6;
/** Characters stored in the clear, so that users can tell keys apart: the prefix and this many more. */
const startLength = 4;

/** Generates a key. It is a secret: show it once, and store its hash. */
export function generateKey(prefix: string, { randomBytes }: Pick<System, 'randomBytes'>): string {
  const random = BigInt(`0x${randomBytes(randomLength).toString('hex')}`);
  const body = prefix + base62(random);
  return body + checksum(body);
}

/** Whether a token has the form and checksum of a key. */
export function isWellFormed(token: string, prefix: string): boolean {
  if (!token.startsWith(prefix) || token.length !== prefix.length + bodyLength + checksumLength)
    return false;
  const body = token.slice(0, -checksumLength);
  return token.endsWith(checksum(body));
}

/** The first characters of a key, for lists. */
export function startOf(key: string, prefix: string): string {
  return key.slice(0, prefix.length + startLength);
}

function checksum(body: string): string {
  let digits = '';
  // Without `base62`: numbers are faster than BigInts.
  for (
    let rest = crc32(body);
    digits.length < checksumLength;
    rest = Math.floor(rest / alphabet.length)
  ) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
  }
  return digits;
}

function base62(value: bigint): string {
  let digits = '';
  for (let rest = value; digits.length < bodyLength; rest /= 62n)
    digits = alphabet[Number(rest % 62n)] + digits;
  return digits;
}
