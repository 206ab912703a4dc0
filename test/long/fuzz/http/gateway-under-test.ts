import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { blockAccount } from '../../../../gateway/accounts/accounts.ts';
import { createKey, revokeKey } from '../../../../gateway/accounts/keys.ts';
import { openDatabase } from '../../../../gateway/accounts/store/store.ts';
import { generateKey } from '../../../../gateway/accounts/verify-keys.ts';
import { realSystem } from '../../../../gateway/clock.ts';
import type { ServerLimits } from '../../../../gateway/server.ts';
import { temporaryFolder } from '../../../build/bank-folder.ts';
import { buildFolder } from '../../../build/release-folder.ts';
import { sampleContentDir } from '../../../content/sample-bank.ts';
import {
  type MonitoredGateway,
  startMonitoredGateway,
} from '../../../gateway/monitored-gateway.ts';
import type { Keys, ModelContext } from './model.ts';
import { readServedRelease } from './stored-release.ts';

/** The time limits of the gateway. A client that keeps a connection open waits for them. */
export const serverLimits: ServerLimits = {
  header: 4_000,
  request: 6_000,
  checkInterval: 500,
  idle: 10_000,
  stalled: 12_000,
  response: 15_000,
  drain: 10_000,
  connections: 10_000,
};

/** A gateway with the sample bank and keys in every state. */
export interface GatewayUnderTest {
  readonly context: ModelContext;
  /** Replaced by `restart`. */
  readonly gateway: MonitoredGateway;
  /** Restarts the gateway. */
  restart(): Promise<void>;
  close(): Promise<unknown>;
}

const corsOrigin = 'https://reader.example';

export async function startGatewayUnderTest(): Promise<GatewayUnderTest> {
  const folder = await temporaryFolder();
  const places = { distDir: join(folder, 'dist'), dataDir: join(folder, 'data') };
  const { publication } = await buildFolder(sampleContentDir, places.distDir);
  if (!publication) throw new Error('The sample bank does not build.');
  const context: ModelContext = {
    release: await readServedRelease(places.distDir),
    keys: await makeKeys(join(places.dataDir, 'pastpaper.db')),
    corsOrigin,
  };
  const settings = {
    CORS_ORIGINS: corsOrigin,
    FAILED_KEYS_PER_MINUTE: '0',
    INTROSPECTION_SECRET: randomBytes(32).toString('base64url'),
    ADMIN_PORT: '0',
    LOG_LEVEL: 'error',
    TIME_LIMITS: JSON.stringify(serverLimits),
  };
  const start = () =>
    startMonitoredGateway(places, plans, settings, 'test/long/faults/short-timeout-gateway.ts');
  let gateway = await start();
  return {
    context,
    get gateway() {
      return gateway;
    },
    async restart() {
      await gateway.stop();
      gateway = await start();
    },
    close: () => gateway.stop(),
  };
}

/** The plans of the keys. No run uses up the quota of `roomy`. */
const plans = {
  free: { perSecond: 2, perMonth: 1000 },
  roomy: { perSecond: 1_000_000, perMonth: 1_000_000_000 },
} as const;

const prefix = 'pfx_';
/** The lifetime of the expired key in milliseconds. */
const shortLife = 5;

/** Creates the keys in a database file, before a gateway opens it. */
async function makeKeys(file: string): Promise<Keys> {
  const database = await openDatabase({ kind: 'sqlite', file });
  const make = async (account: string, plan: keyof typeof plans, lifetime?: number) =>
    (
      await createKey(database, realSystem, {
        account,
        plan,
        fallbackPlan: plan,
        lifetime,
        prefix,
        maxKeys: 20,
      })
    ).key;
  try {
    const live = await make('roomy', 'roomy');
    const revoked = await make('roomy', 'roomy');
    await revokeKey(database, realSystem, revoked);
    const blocked = await make('blocked', 'roomy');
    await blockAccount(database, realSystem, 'blocked');
    const keys = {
      live,
      free: await make('free', 'free'),
      revoked,
      expired: await make('roomy', 'roomy', shortLife),
      blocked,
      unknown: generateKey(prefix, realSystem),
      misspelt: `${live.slice(0, -1)}${live.endsWith('0') ? '1' : '0'}`,
    };
    await delay(shortLife);
    return keys;
  } finally {
    await database.destroy();
  }
}

/** Replaces keys by their names, such as `{{live}}`. */
export function withNames(bytes: string, keys: Keys): string {
  return Object.entries(keys).reduce(
    (text, [name, key]) => text.replaceAll(key, `{{${name}}}`),
    bytes,
  );
}
