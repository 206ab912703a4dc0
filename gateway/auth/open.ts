import type { Plans } from '../../build/release/plans.ts';
import type { Clock } from '../clock.ts';
import { type Config, ConfigError } from '../config.ts';
import type { VerifyKey } from '../key-check.ts';
import { defaultPlan } from '../limits/plans.ts';
import type { Log } from '../log/log.ts';
import { plansInUse } from './accounts.ts';
import { developmentKey } from './development-key.ts';
import { LastUse } from './last-use.ts';
import type { DatabaseLocation } from './store/location.ts';
import { openStore } from './store/store.ts';
import type { Database } from './store/tables.ts';
import { StoredUsage } from './usage.ts';
import { verifyStoredKeys } from './verify-stored.ts';

/** Milliseconds that a request waits for another process that is writing. */
const patience = 2000;

/** What a process takes from the database that it opened. */
export interface OpenedKeys {
  readonly database: Database;
  readonly verifyKey: VerifyKey;
  readonly usage: StoredUsage;
  /** A key to try the service with; see `developmentKey`. None in production. */
  readonly developmentKey: string | undefined;
  close(): Promise<void>;
}

/**
 * Opens the database with keys and usage.
 *
 * @throws StorageError when the database or the data folder cannot be used
 * @throws ConfigError when accounts are on plans that the settings do not have
 */
export async function openKeys(config: Config, clock: Clock, log: Log): Promise<OpenedKeys> {
  const { plans, dataDir, apiKeyPrefix: prefix, production } = config;
  const store = await openStore(config.database, patience);
  const { database, counting, changes } = store;
  const lastUse = new LastUse(counting, log);
  const verifyKey = verifyStoredKeys(database, prefix, plans, lastUse, clock, log, changes);
  const settings = { dataDir, prefix, plan: defaultPlan(plans) };
  try {
    await checkPlans(database, plans);
    return {
      database,
      verifyKey,
      usage: new StoredUsage(counting),
      developmentKey: production ? undefined : await developmentKey(database, verifyKey, clock, settings),
      close: () => lastUse.close().finally(() => store.close()),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Opens the database for usage alone: the keys are elsewhere.
 *
 * @throws StorageError when it cannot be used
 */
export async function openUsage(location: DatabaseLocation): Promise<Pick<OpenedKeys, 'usage' | 'close'>> {
  const { counting, close } = await openStore(location, patience);
  return { usage: new StoredUsage(counting), close };
}

async function checkPlans(database: Database, plans: Plans): Promise<void> {
  const missing = (await plansInUse(database)).filter((plan) => !Object.hasOwn(plans, plan));
  if (missing.length === 0) return;
  const names = missing.map((plan) => `"${plan}"`).join(', ');
  throw new ConfigError(
    `PLANS lacks ${names}, which accounts are on; it has ${Object.keys(plans).join(', ')}.`,
  );
}
