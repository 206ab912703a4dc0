import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VerifyKey } from '../access/verify.ts';
import type { Clock } from '../clock.ts';
import type { Database } from './database.ts';
import { createKey } from './keys.ts';

const fileName = 'development-key';
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
 */
export async function developmentKey(
  database: Database,
  verifyKey: VerifyKey,
  clock: Clock,
  { dataDir, prefix, plan }: Settings,
): Promise<string | undefined> {
  const file = join(dataDir, fileName);
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (kept !== '' && (await verifyKey(kept)).state === 'valid') return kept;
  const anyKey = await database.selectFrom('keys').select('id').limit(1).executeTakeFirst();
  if (anyKey) return undefined;
  const { key } = await createKey(database, clock, {
    account,
    plan: undefined,
    fallbackPlan: plan,
    lifetime: undefined,
    prefix,
  });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}
