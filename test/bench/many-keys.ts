import { randomBytes } from 'node:crypto';
import { generateKey, startOf } from '../../gateway/auth/key-format.ts';
import type { Database } from '../../gateway/auth/store/tables.ts';
import { digestOf } from '../../gateway/key-check.ts';

/** The rows of a statement, which stay below the parameter limit of PostgreSQL. */
const batch = 2_000;

const prefix = 'pfx_';
const accounts = 10_000;
const createdAt = Date.UTC(2026, 0, 1);

/**
 * Fills a store with keys of 10,000 accounts on the plan `roomy`.
 *
 * @param count the total number of keys
 * @param known the number of real keys, evenly distributed; the others have only a hash
 * @returns the real keys
 */
export async function fillStore(database: Database, count: number, known: number): Promise<string[]> {
  const keys: string[] = [];
  for (let start = 0; start < accounts; start += batch) {
    await database
      .insertInto('accounts')
      .values(Array.from({ length: batch }, (_, index) => accountRow(start + index)))
      .execute();
  }
  for (let start = 0; start < count; start += batch) {
    const rows = Array.from({ length: Math.min(batch, count - start) }, (_, offset) => {
      const index = start + offset;
      const key = index % Math.floor(count / known) === 0 ? generateKey(prefix) : undefined;
      if (key !== undefined) keys.push(key);
      return keyRow(index, key);
    });
    await database.insertInto('keys').values(rows).execute();
    if ((start / batch) % 50 === 0) process.stderr.write(`\r  ${start + rows.length} of ${count} keys`);
  }
  process.stderr.write(`\r${' '.repeat(40)}\r`);
  return keys;
}

function accountRow(index: number) {
  return {
    id: `acc_${index}`,
    name: `account ${index}`,
    plan: 'roomy',
    createdAt,
    userId: null,
    blockedAt: null,
  };
}

function keyRow(index: number, key: string | undefined) {
  return {
    id: `key_${index}`,
    accountId: `acc_${index % accounts}`,
    name: '',
    hash: key === undefined ? randomBytes(32).toString('hex') : digestOf(key),
    start: key === undefined ? 'pfx_AAAA' : startOf(key, prefix),
    createdAt,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
  };
}
