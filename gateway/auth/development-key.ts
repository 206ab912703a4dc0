import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../build/release/make-folder.ts';
import type { Clock } from '../clock.ts';
import type { VerifyKey } from '../key-check.ts';
import { createKey } from './create-key.ts';
import { StorageError } from './store/database.ts';
import type { Database } from './store/tables.ts';

/** Its name in the data folder. */
export const developmentKeyFile = 'development-key';
const account = 'development';

interface Settings {
  readonly dataDir: string;
  readonly prefix: string;
  readonly plan: string;
}

/**
 * A key to try the service with. It is made when there is no key at all, and kept in the data folder for
 * the next start.
 *
 * @returns undefined when there are keys, but none kept from an earlier start that still works
 * @throws StorageError when it cannot be kept
 */
export async function developmentKey(
  database: Database,
  verifyKey: VerifyKey,
  clock: Clock,
  { dataDir, prefix, plan }: Settings,
): Promise<string | undefined> {
  const kept = (await readFile(join(dataDir, developmentKeyFile), 'utf8').catch(() => '')).trim();
  if (kept !== '' && (await verifyKey(kept)).state === 'valid') return kept;
  const anyKey = await database.selectFrom('keys').select('id').limit(1).executeTakeFirst();
  if (anyKey) return undefined;
  // First a file, empty as yet: a key that cannot be kept is not made.
  await keep(dataDir, '');
  const { key } = await createKey(database, clock, {
    account,
    plan: undefined,
    fallbackPlan: plan,
    lifetime: undefined,
    prefix,
  });
  await keep(dataDir, key);
  return key;
}

async function keep(dataDir: string, key: string): Promise<void> {
  try {
    await makeFolder(dataDir, 0o700);
    await writeFile(join(dataDir, developmentKeyFile), `${key}\n`, { mode: 0o600 });
  } catch (error) {
    throw new StorageError(`The data folder ${dataDir} cannot be written: ${(error as Error).message}`);
  }
}
