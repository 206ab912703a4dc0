import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../build/build.ts';
import { systemClock } from '../../gateway/clock.ts';
import { type Config, readConfig } from '../../gateway/config.ts';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { type Database, openDatabase } from '../../gateway/keys/database.ts';
import { type CreatedKey, createKey } from '../../gateway/keys/keys.ts';
import { sampleContentDir } from '../content/sample-bank.ts';

/** A gateway in this process, with the sample bank and a data folder of its own. */
export interface RunningGateway {
  readonly gateway: Gateway;
  readonly config: Config;
  readonly baseUrl: string;
  readonly logged: string[];
  /** A connection of its own to the gateway's database, as a command beside it has. */
  readonly database: Database;
  /** Makes a key; without a plan, on one whose limits no test meets. */
  createKey(
    account: string,
    options?: { readonly plan?: string; readonly lifetime?: number },
  ): Promise<CreatedKey>;
  /** Stops the gateway and removes its folders. */
  close(): Promise<void>;
}

/** The specification's plan, and one whose limits no test meets. */
const plans = { free: { perSecond: 2, perMonth: 1000 }, roomy: { perSecond: 100_000, perMonth: 1_000_000 } };

/** @param settings environment variables beside those that give the gateway its folders and port */
export async function runGateway(settings: Readonly<Record<string, string>> = {}): Promise<RunningGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
  const env = {
    PORT: '0',
    DIST_DIR: join(folder, 'dist'),
    DATA_DIR: join(folder, 'data'),
    PLANS: 'plans.json',
  };
  const config = readConfig({ ...env, ...settings }, () => JSON.stringify(plans));
  const logged: string[] = [];
  const { publication } = await build(sampleContentDir, config.distDir);
  if (!publication) throw new Error('The sample bank does not build.');
  const gateway = await startGateway(config, (message, error) => logged.push(`${message} ${error ?? ''}`));
  const database = await openDatabase(config.databaseFile, 5000);
  return {
    gateway,
    config,
    baseUrl: `http://127.0.0.1:${gateway.port}`,
    logged,
    database,
    createKey: (account, { plan = 'roomy', lifetime } = {}) =>
      createKey(database, systemClock, {
        account,
        plan,
        fallbackPlan: plan,
        lifetime,
        prefix: config.apiKeyPrefix,
      }),
    async close() {
      await gateway.stop();
      await database.destroy();
      await rm(folder, { recursive: true });
    },
  };
}

/** The settings of a gateway whose keys are checked by a service elsewhere. */
export function introspectionAt(url: string): Record<string, string> {
  return { INTROSPECTION_URL: url, INTROSPECTION_SECRET: 'a-secret-between-gateway-and-service' };
}

/** An authentication service where nothing listens: the discard port, which no one serves any more. */
export const unreachableService = introspectionAt('http://127.0.0.1:9/introspect');
