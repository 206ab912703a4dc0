/** Opens the database for a process that checks keys and counts usage. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plans } from '../../build/release/plans.ts';
import { defaultPlan } from '../../build/release/plans.ts';
import { isLoopback } from '../../build/release/urls.ts';
import { type Clock, repeatEvery } from '../clock.ts';
import { type Config, ConfigError } from '../config.ts';
import { digestOf, type VerifyKey } from '../key-check.ts';
import type { Log } from '../log/logger.ts';
import type { System } from '../system.ts';
import { removeFormerAccounts } from './accounts.ts';
import { generateKey, isWellFormed } from './key-format.ts';
import { createKey, removeEndedKeys } from './keys.ts';
import { plansInUse, unknownPlans } from './store/inspect.ts';
import { openStore, storedSecret } from './store/store.ts';
import type { Database } from './store/tables.ts';
import { storedUsage } from './usage.ts';
import { lastUsedWriter, verifyStoredKeys } from './verify-keys.ts';

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
  const lastUsed = lastUsedWriter(background, log);
  const verifyKey = verifyStoredKeys(
    database,
    apiKeyPrefix,
    plans,
    lastUsed,
    system,
    log,
    dataVersion,
  );
  try {
    await checkPlans(database, plans);
    // None where other machines could use it.
    const isTried = !production && isLoopback(host);
    const shownKey = isTried
      ? await developmentKey(database, verifyKey, system, config)
      : undefined;
    const onFailure = (error: unknown) =>
      log('Keys and accounts that have ended could not be removed.', error);
    const removeEnded = () =>
      removeEndedKeys(background, system.now())
        .then(() => removeFormerAccounts(background, system.now()))
        .catch(onFailure);
    // A connection that this process opens next would wait for the lock, and block what releases it.
    await removeEnded();
    const removal = repeatEvery(day, removeEnded);
    return {
      database,
      /** The same database, for writes that the event loop does not wait for. */
      background,
      verifyKey,
      usage: storedUsage(background, true),
      developmentKey: shownKey,
      /** For tests: writes when keys were last used, which would otherwise be written within a second. */
      flush: () => lastUsed.close(),
      async close(): Promise<void> {
        await removal.close();
        await lastUsed.close().finally(() => store.close());
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Milliseconds. */
const day = 86_400_000;

/** Opens the database for usage alone. @throws StorageError when it cannot be used */
export async function openUsage({ database, introspection }: Config, clock: Clock) {
  const { background, close } = await openStore(database, clock);
  return { usage: storedUsage(background, introspection === undefined), close };
}

async function checkPlans(database: Database, plans: Plans): Promise<void> {
  const missing = unknownPlans(await plansInUse(database), plans);
  if (missing.length === 0) return;
  const configured = `Configured plans: ${Object.keys(plans).join(', ')}.`;
  const advice = 'Add the missing plans to "plans" in pastpaper.config.json, or to PLANS.';
  throw new ConfigError(
    `Accounts have plans that are not configured: ${missing.join(', ')}. ${configured} ${advice}`,
  );
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
  config: Pick<Config, 'dataDir' | 'apiKeyPrefix' | 'plans' | 'maxKeysPerAccount'>,
): Promise<string | undefined> {
  const { dataDir, apiKeyPrefix: prefix, plans, maxKeysPerAccount: maxKeys } = config;
  const file = join(dataDir, developmentKeyFile);
  const readStored = async () => (await readFile(file, 'utf8').catch(() => '')).trim();
  const ifValid = async (key: string) =>
    key !== '' && (await verifyKey(key)).state === 'valid' ? key : undefined;
  const stored = await readStored();
  const valid = await ifValid(stored);
  if (valid !== undefined) return valid;
  const anyKey = await database.selectFrom('keys').select('id').limit(1).executeTakeFirst();
  // Keys that ended are removed, but the development key is made only once.
  const account = await database
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', 'development')
    .executeTakeFirst();
  // Another process may have stored and created it since the file was read.
  if (anyKey || account) return ifValid(await readStored());
  // It has another API_KEY_PREFIX.
  if (stored !== '' && !isWellFormed(stored, prefix)) await rm(file, { force: true });
  // Stored first: a key that cannot be stored is not created.
  const key = (
    await storedSecret(dataDir, developmentKeyFile, `${generateKey(prefix, system)}\n`)
  ).trim();
  const request = {
    account: 'development',
    fallbackPlan: defaultPlan(plans),
    prefix,
    maxKeys,
    key,
  };
  await createKey(database, system, request).catch(async (error: unknown) => {
    // Another process may have created it just now.
    const created = await database
      .selectFrom('keys')
      .select('id')
      .where('hash', '=', digestOf(key))
      .executeTakeFirst();
    if (!created) throw error;
  });
  return key;
}
