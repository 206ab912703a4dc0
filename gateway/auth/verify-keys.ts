import type { InferResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Plans } from '../../build/release/plans.ts';
import { backgroundWriter, type Clock } from '../clock.ts';
import { digestOf, type KeyCheck, type ValidKey, type VerifyKey } from '../key-check.ts';
import { type Log, outageLog } from '../log/logger.ts';
import { isWellFormed } from './key-format.ts';
import type { Database, DataVersion, KeyRow } from './store/tables.ts';

const unknownKey: KeyCheck = { state: 'unknown' };

/**
 * Checks keys against the database, so that expiry and revocation take effect with the next request, whichever process
 * they were made in. If the database reports its version, rows are cached until it changes.
 *
 * @param prefix of every key
 * @param plans that accounts may be on
 * @param version of the database; undefined: every check reads it
 */
export function verifyStoredKeys(
  database: Database,
  prefix: string,
  plans: Plans,
  lastUsed: LastUsedWriter,
  clock: Clock,
  log: Log,
  version?: DataVersion,
): VerifyKey {
  const readKey = keyReader(database);
  const cache = version && keyCache(version, readKey);
  const outage = outageLog(log);

  function checkKey(key: StoredKey | null | undefined): KeyCheck {
    if (!key) return unknownKey;
    const { row, isBlocked, valid } = key;
    const now = clock.now();
    const state = isBlocked ? 'revoked' : stateOf(row, now);
    if (state !== 'active') return { state };
    if (!Object.hasOwn(plans, valid.plan)) {
      log(`A key's account is on the plan "${valid.plan}", which is not configured.`);
      return { state: 'unavailable' };
    }
    lastUsed.record(row, now);
    return valid;
  }

  async function readAndCheck(digest: string): Promise<KeyCheck> {
    try {
      const key = await (cache ? cache.read(digest) : readKey(digest));
      if (outage.isOngoing) outage.end('The keys can be read again.');
      return checkKey(key);
    } catch (error) {
      outage.begin('The keys could not be read.', error);
      return { state: 'unavailable' };
    }
  }

  return (token, digest = digestOf(token)) => {
    const cached = cache?.get(digest);
    if (cached !== undefined) return checkKey(cached);
    return isWellFormed(token, prefix) ? readAndCheck(digest) : unknownKey;
  };
}

/** @param now milliseconds since 1970, UTC */
export function stateOf(
  { expiresAt, revokedAt }: Pick<KeyRow, 'expiresAt' | 'revokedAt'>,
  now: number,
) {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** A key in the database. Whether it is live also depends on the time. */
interface StoredKey {
  readonly row: Pick<KeyRow, 'id' | 'expiresAt' | 'revokedAt'> & LastUse;
  readonly isBlocked: boolean;
  /** The result of a check while it is live. */
  readonly valid: ValidKey;
}

type ReadKey = (digest: string) => Promise<StoredKey | undefined>;

/** Reads keys by their digests, with a query that is compiled once. */
function keyReader(database: Database): ReadKey {
  const query = database
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.accountId')
    .select(['keys.id', 'keys.expiresAt', 'keys.revokedAt', 'keys.lastUsedAt'])
    .select(['accounts.id as account', 'accounts.plan', 'accounts.blockedAt'])
    .where('keys.hash', '=', '')
    .compile();
  type Row = InferResult<typeof query>[number];
  return async (digest) => {
    const { rows } = await database.executeQuery<Row>({ ...query, parameters: [digest] });
    const [row] = rows;
    if (!row) return undefined;
    const { id: keyId, account, plan, expiresAt } = row;
    const valid: ValidKey = { state: 'valid', account, keyId, plan };
    return {
      row,
      isBlocked: row.blockedAt !== null,
      valid: expiresAt === null ? valid : { ...valid, expiresAt },
    };
  };
}

/** Entries in each cache, whatever tokens clients send. */
const maxEntries = 10_000;

/**
 * Caches keys until anything in the database changes. Changes by other connections are looked up once in each turn of
 * the event loop: whoever changes something sends the request that depends on it in a later turn.
 *
 * Unknown keys have a cache of their own, so that a flood of invalid tokens does not evict keys in use.
 */
function keyCache(source: DataVersion, readKey: ReadKey) {
  const keys = new LRUCache<string, StoredKey>({ max: maxEntries });
  const unknown = new LRUCache<string, true>({ max: maxEntries });
  let known = Number.NaN;
  /** Whether other connections have been looked up in this turn of the event loop. */
  let isFresh = false;

  /** Clears the cache if the database has changed. Without its version, nothing that is cached is used. */
  function isCurrent(): boolean {
    const version = readVersion();
    if (version === known) return true;
    keys.clear();
    unknown.clear();
    known = version ?? Number.NaN;
    return version !== undefined;
  }

  function readVersion(): number | undefined {
    try {
      const version = source.current(!isFresh);
      if (!isFresh) setImmediate(() => (isFresh = false));
      isFresh = true;
      return version;
    } catch {
      // Another process has locked the database to write. Whoever reads the database now waits for it.
      return undefined;
    }
  }

  return {
    /** @returns null: there is no such key; undefined: not cached */
    get(digest: string): StoredKey | null | undefined {
      if (!isCurrent()) return undefined;
      return keys.get(digest) ?? (unknown.has(digest) ? null : undefined);
    },

    /** Reads a key, and caches it unless the database has changed meanwhile. */
    async read(digest: string): Promise<StoredKey | undefined> {
      const version = isCurrent() ? known : undefined;
      const key = await readKey(digest);
      if (version !== known) return key;
      if (key) keys.set(digest, key);
      else unknown.set(digest, true);
      return key;
    },
  };
}

/** Milliseconds within which further uses are not written, so that a busy key costs one write a minute. */
const precision = 60_000;

/** Keys in a write: SQLite stays locked, and PostgreSQL's rows, until it ends. */
const maxKeysPerWrite = 50;

/** Keys that wait to be written. */
const maxWaiting = 50_000;

export type LastUsedWriter = ReturnType<typeof lastUsedWriter>;

/** A key, and when it was last used: according to the database, or to what is recorded since. */
interface LastUse {
  readonly id: string;
  lastUsedAt: number | null;
}

/** Writes when keys were last used, for their owners to see. */
export function lastUsedWriter(database: Database, log: Log) {
  const unwritten = new Set<string>();
  let latest = 0;
  /** A full disk is logged once, not twice a second. */
  const outage = outageLog(log);
  const writer = backgroundWriter(write, () => unwritten.size > 0);

  /** A failed write is not retried: a use of the key a minute later is recorded again. */
  async function write(): Promise<void> {
    const ids = [...unwritten].slice(0, maxKeysPerWrite);
    for (const id of ids) unwritten.delete(id);
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
    /** Records a use, also in the key: the write does not clear the cache. @param now milliseconds since 1970, UTC */
    record(key: LastUse, now: number): void {
      if (key.lastUsedAt !== null && Math.abs(now - key.lastUsedAt) < precision) return;
      // Beyond the limit, the next use of the key is recorded instead.
      if (unwritten.size >= maxWaiting) return;
      unwritten.add(key.id);
      key.lastUsedAt = now;
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
