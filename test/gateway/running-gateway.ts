import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createKey } from '../../gateway/accounts/keys.ts';
import { openDatabase } from '../../gateway/accounts/store/store.ts';
import { realSystem, type System } from '../../gateway/clock.ts';
import { readConfig } from '../../gateway/config.ts';
import { calendarOf } from '../../gateway/limits/decision.ts';
import type { ServerLimits } from '../../gateway/server.ts';
import { type Service, startGateway, startService } from '../../gateway/start.ts';
import { temporaryFolder } from '../build/bank-folder.ts';
import { addUsage } from './accounts/add-usage.ts';
import { postgres, sqlite } from './accounts/engines.ts';
import { advance, FakeSystem } from './fake-system.ts';
import { startRedis } from './limits/redis-server.ts';
import { sampleRelease } from './sample-release.ts';

export type RunningGateway = Awaited<ReturnType<typeof runGateway>>;

/** Where keys are checked (in the gateway or by a separate service), on which engine, and whether usage is in Redis. */
const setUps = {
  embedded: { engine: sqlite, separate: false, redis: false, fake: true },
  /** For tests with a browser or with processes, whose time is the real one. */
  'in-real-time': { engine: sqlite, separate: false, redis: false },
  'embedded-redis': { engine: sqlite, separate: false, redis: true },
  'service-postgres': { engine: postgres, separate: true, redis: false, fake: true },
  'service-redis': { engine: postgres, separate: true, redis: true },
} as const;

export type SetUp = keyof typeof setUps;

/** The set-up of a test run. */
export const defaultSetUp = (process.env['SET_UP'] ?? 'embedded') as SetUp;

/** The specification's plan, and one whose limits no test reaches. */
const plans = {
  free: { perSecond: 2, perMonth: 1000 },
  roomy: { perSecond: 100_000, perMonth: 1_000_000 },
};

/**
 * Runs a gateway in this process, with the sample bank and its own data. All gateways of a process share the release.
 *
 * @param settings environment variables in addition to the folders and the port; a test that changes the release sets
 *   its own DIST_DIR
 * @param serverLimits instead of those of the server
 */
export async function runGateway(
  settings: Readonly<Record<string, string>> = {},
  setUp = defaultSetUp,
  serverLimits?: ServerLimits,
) {
  const { engine, separate, redis: inRedis, ...more } = setUps[setUp];
  const isFake = 'fake' in more;
  const system: System = isFake ? new FakeSystem() : realSystem;
  const folder = await temporaryFolder();
  const testDatabase = await engine.createMigrated();
  const redis = inRedis ? await startRedis() : undefined;
  const env = {
    PORT: '0',
    DIST_DIR: settings['DIST_DIR'] ?? (await sampleRelease()),
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: testDatabase.url,
    PLANS: 'plans.json',
    ...(redis && { REDIS_URL: redis.url }),
  };
  const read = (more: Readonly<Record<string, string>>) =>
    readConfig({ ...env, ...more }, () => JSON.stringify(plans));
  const logged: string[] = [];
  const logging = new EventEmitter();
  const log = (message: string, error?: unknown) => {
    logged.push(`${message} ${error ?? ''}`);
    logging.emit('line');
  };
  let service: Service | undefined;
  if (separate && settings['INTROSPECTION_URL'] === undefined) {
    service = await startService(
      read({ INTROSPECTION_SECRET: introspectionSecret, ...settings }),
      log,
      { system },
    );
  }
  const config = read({
    ...(service && introspectionAt(`${service.origin}/auth/introspect`)),
    ...settings,
  });
  const gateway = await startGateway(config, log, {
    system,
    ...(serverLimits && { serverLimits }),
  });
  const database = await openDatabase(config.database);
  return {
    gateway,
    config,
    baseUrl: gateway.origin,
    /** The URL of the authentication service. */
    authUrl: `${(service ?? gateway).origin}/auth`,
    logged,
    /** Resolves when the log matches. */
    async untilLogged(matches: (lines: readonly string[]) => boolean): Promise<void> {
      while (!matches(logged)) await once(logging, 'line');
    },
    system,
    /** Writes what the gateway and the authentication service have counted, and would write within a second. */
    async flush(): Promise<void> {
      await gateway.flush();
      await service?.flush();
    },
    /** Lets a time in milliseconds pass: really, if the clock is. */
    pass: async (milliseconds: number): Promise<void> =>
      isFake ? advance(milliseconds) : delay(milliseconds),
    /** DATABASE_URL of the gateway's database. */
    databaseUrl: testDatabase.url,
    /** A separate connection to the gateway's database, like that of a command. */
    database,
    /** The Redis with the usage; undefined if usage is in the database. */
    redis,
    /** Adds usage as another gateway with the same database or Redis would. */
    async addUsage(account: string, count: number): Promise<void> {
      const { day, month } = calendarOf(system.now());
      if (!redis) return void (await addUsage(database, [{ account, day, used: count }]));
      const name = `pastpaper:{${account}}:${month}`;
      for (const field of ['used', `${day} used `])
        await redis.ask('HINCRBY', name, field, String(count));
    },
    /** Creates a key; by default on a plan whose limits no test reaches. */
    createKey: (account: string, { plan = 'roomy', lifetime }: KeyOptions = {}) =>
      createKey(database, system, {
        ...{ account, plan, fallbackPlan: plan, lifetime },
        ...{ prefix: config.apiKeyPrefix, maxKeys: 1000 },
      }),
    /** Stops the gateway and removes its folders. */
    async close(): Promise<void> {
      try {
        await gateway.stop();
        await service?.stop();
      } finally {
        await database.destroy();
        await testDatabase.remove();
        await redis?.remove();
      }
    },
  };
}

interface KeyOptions {
  readonly plan?: string;
  readonly lifetime?: number;
}

const introspectionSecret = 'a-secret-between-gateway-and-service';

/** The settings of a gateway with a separate authentication service. */
export function introspectionAt(url: string): Record<string, string> {
  return { INTROSPECTION_URL: url, INTROSPECTION_SECRET: introspectionSecret };
}

/** An authentication service that is down: nothing listens on the discard port. */
export const unreachableService = introspectionAt('http://127.0.0.1:9/introspect');
