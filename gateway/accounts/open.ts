/** Opens the database for a process that checks keys and counts usage. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultPlan, type Plans } from '../../build/release/plans.ts';
import { isLoopback } from '../../build/release/urls.ts';
import { digestOf } from '../access/require-key.ts';
import { repeatEvery, type System } from '../clock.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Log } from '../log/logger.ts';
import { removeEndedUsage } from './accounts.ts';
import { createKey, removeEndedKeys } from './keys.ts';
import { openDatabase, storedSecret } from './store/store.ts';
import type { Database } from './store/tables.ts';
import { storedUsage } from './usage.ts';
import {
  generateKey,
  isWellFormed,
  lastUsedWriter,
  stateOf,
  verifyStoredKeys,
} from './verify-keys.ts';

export type OpenedKeys = Awaited<ReturnType<typeof openKeys>>;

/** Milliseconds. */
const day = 86_400_000;

/**
 * Opens the database with keys and usage.
 *
 * @throws StorageError when the database or the data folder cannot be used
 * @throws ConfigError when accounts are on plans that the settings do not have
 */
export async function openKeys(config: Config, system: System, log: Log) {
  const { plans, apiKeyPrefix, production, host } = config;
  const database = await openDatabase(config.database);
  const lastUsed = lastUsedWriter(database, log);
  const verifyKey = verifyStoredKeys(database, apiKeyPrefix, plans, lastUsed, system, log);
  try {
    await checkPlans(database, plans);
    // None where other machines could use it.
    const isTried = !production && isLoopback(host);
    const shownKey = isTried ? await developmentKey(database, system, config) : undefined;
    const removeEnded = () =>
      removeEndedKeys(database, system.now())
        .then(() => removeEndedUsage(database, system.now()))
        .catch((error) => log('Keys and accounts that have ended could not be removed.', error));
    await removeEnded();
    const removal = repeatEvery(day, removeEnded);
    return {
      database,
      verifyKey,
      usage: storedUsage(database, true),
      developmentKey: shownKey,
      /** For tests: writes when keys were last used, which would otherwise be written within a second. */
      flush: () => lastUsed.close(),
      async close(): Promise<void> {
        await removal.close();
        await lastUsed.close().finally(() => database.destroy());
      },
    };
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** @throws ConfigError when accounts are on plans that are not configured */
export async function checkPlans(database: Database, plans: Plans): Promise<void> {
  const rows = await database
    .selectFrom('accounts')
    .select('plan')
    .distinct()
    .orderBy('plan')
    .execute();
  const missing = rows.flatMap(({ plan }) => (Object.hasOwn(plans, plan) ? [] : [`"${plan}"`]));
  if (missing.length === 0) return;
  const configured = `Configured plans: ${Object.keys(plans).join(', ')}.`;
  const advice = 'Add the missing plans to "plans" in pastpaper.config.json, or to PLANS.';
  throw new ConfigError(
    `Accounts have plans that are not configured: ${missing.join(', ')}. ${configured} ${advice}`,
  );
}

/** Name of the file in the data folder. */
const developmentKeyFile = 'development-key';

/**
 * A key to try the service with. It is created once, and stored in the data folder for the next start.
 *
 * @returns undefined when it is no longer valid
 * @throws StorageError when it cannot be stored
 */
export async function developmentKey(
  database: Database,
  system: System,
  config: Pick<Config, 'dataDir' | 'apiKeyPrefix' | 'plans' | 'maxKeysPerAccount'>,
): Promise<string | undefined> {
  const { dataDir, apiKeyPrefix: prefix, plans, maxKeysPerAccount: maxKeys } = config;
  const name = 'development';
  const file = join(dataDir, developmentKeyFile);
  const text = (await readFile(file, 'utf8').catch(() => '')).trim();
  const stored = isWellFormed(text, prefix) ? text : undefined;
  const created = await database
    .selectFrom('accounts')
    .leftJoin('keys', 'keys.accountId', 'accounts.id')
    .select(['keys.hash', 'keys.expiresAt', 'keys.revokedAt'])
    .where('accounts.name', '=', name)
    .execute();
  if (created.length > 0) {
    const hash = digestOf(stored ?? '');
    const isActive = (row: (typeof created)[number]) => stateOf(row, system.now()) === 'active';
    return created.some((row) => row.hash === hash && isActive(row)) ? stored : undefined;
  }
  // That of another database may have another prefix, or be incomplete.
  if (stored === undefined) await rm(file, { force: true });
  // Stored first: a key that cannot be stored is not created.
  const made = `${generateKey(prefix, system)}\n`;
  const key = (await storedSecret(dataDir, developmentKeyFile, made)).trim();
  const fallbackPlan = defaultPlan(plans);
  await createKey(database, system, { account: name, fallbackPlan, prefix, maxKeys, key });
  return key;
}
