/** Opens the database for a process that checks keys and counts usage. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isLoopback } from '../../build/release/loopback.ts';
import type { Plans } from '../../build/release/plans.ts';
import { defaultPlan } from '../../build/release/plans.ts';
import type { Clock } from '../clock.ts';
import { type Config, ConfigError } from '../config.ts';
import type { DatabaseLocation } from '../config-values.ts';
import { digestOf, type VerifyKey } from '../key-check.ts';
import type { Log } from '../log/logger.ts';
import type { System } from '../system.ts';
import { generateKey, isWellFormed } from './key-format.ts';
import { createKey } from './keys.ts';
import { plansInUse, unknownPlans } from './store/inspect.ts';
import { openStore, storedSecret } from './store/store.ts';
import type { Database } from './store/tables.ts';
import { StoredUsage } from './usage.ts';
import { LastUsedWriter, verifyStoredKeys } from './verify-keys.ts';

export type OpenedKeys = Awaited<ReturnType<typeof openKeys>>;

/**
 * Opens the database with keys and usage.
 *
 * @throws StorageError when the database or the data folder cannot be used
 * @throws ConfigError when accounts are on plans that the settings do not have
 */
export async function openKeys(config: Config, system: System, log: Log) {
  const { plans, apiKeyPrefix, production, host } = config;
  const store = await openStore(config.database, system);
  const { database, background, dataVersion } = store;
  const lastUsed = new LastUsedWriter(background, log);
  const verifyKey = verifyStoredKeys(database, apiKeyPrefix, plans, lastUsed, system, log, dataVersion);
  try {
    await checkPlans(database, plans);
    return {
      database,
      /** The same database, for writes that the event loop does not wait for. */
      background,
      verifyKey,
      usage: new StoredUsage(background),
      /** None where other machines could use it. */
      developmentKey:
        production || !isLoopback(host) ? undefined : await developmentKey(database, verifyKey, system, config),
      /** For tests: writes when keys were last used, which would otherwise be written within a second. */
      flush: () => lastUsed.close(),
      close: () => lastUsed.close().finally(() => store.close()),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Opens the database for usage alone, where another service has the keys.
 *
 * @throws StorageError when it cannot be used
 */
export async function openUsage(location: DatabaseLocation, clock: Clock) {
  const { background, close } = await openStore(location, clock);
  return { usage: new StoredUsage(background), close };
}

async function checkPlans(database: Database, plans: Plans): Promise<void> {
  const missing = unknownPlans(await plansInUse(database), plans);
  if (missing.length === 0) return;
  const configured = `Configured plans: ${Object.keys(plans).join(', ')}.`;
  const advice = 'Add the missing plans to "plans" in pastpaper.config.json, or to PLANS.';
  throw new ConfigError(`Accounts have plans that are not configured: ${missing.join(', ')}. ${configured} ${advice}`);
}

/** Name of the file in the data folder. */
export const developmentKeyFile = 'development-key';

/**
 * A key to try the service with. It is created when there is no key at all, and stored in the data folder for the
 * next start.
 *
 * @returns undefined when there are keys, but no stored one that is valid
 * @throws StorageError when it cannot be stored
 */
export async function developmentKey(
  database: Database,
  verifyKey: VerifyKey,
  system: System,
  { dataDir, apiKeyPrefix: prefix, plans }: Pick<Config, 'dataDir' | 'apiKeyPrefix' | 'plans'>,
): Promise<string | undefined> {
  const file = join(dataDir, developmentKeyFile);
  const stored = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (stored !== '' && (await verifyKey(stored)).state === 'valid') return stored;
  const anyKey = await database.selectFrom('keys').select('id').limit(1).executeTakeFirst();
  if (anyKey) return undefined;
  // It has another API_KEY_PREFIX.
  if (stored !== '' && !isWellFormed(stored, prefix)) await rm(file, { force: true });
  // Stored first: a key that cannot be stored is not created.
  const key = (await storedSecret(dataDir, developmentKeyFile, `${generateKey(prefix, system)}\n`)).trim();
  const request = { account: 'development', fallbackPlan: defaultPlan(plans), prefix, key };
  await createKey(database, system, request).catch(async (error: unknown) => {
    // Another process may have created it just now.
    const created = await database.selectFrom('keys').select('id').where('hash', '=', digestOf(key)).executeTakeFirst();
    if (!created) throw error;
  });
  return key;
}
