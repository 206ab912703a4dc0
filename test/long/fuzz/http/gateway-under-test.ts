import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
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
import { Accounts, plans } from '../../accounts.ts';
import type { FuzzContext, Keys } from './context.ts';
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
  readonly context: FuzzContext;
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
  const context: FuzzContext = {
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

/** Creates the keys in a database file, before a gateway opens it. No run uses up the quota of `roomy`. */
async function makeKeys(file: string): Promise<Keys> {
  const accounts = await Accounts.open(file);
  const { key: live } = await accounts.create('roomy', 'roomy');
  const { key: free } = await accounts.create('free', 'free');
  const { key: revoked, keyId } = await accounts.create('revoked', 'roomy');
  await accounts.revoke(keyId);
  await accounts.close();
  const misspelt = `${live.slice(0, -1)}${live.endsWith('0') ? '1' : '0'}`;
  return { live, free, revoked, unknown: generateKey('pfx_', realSystem), misspelt };
}

/** Replaces keys by their names, such as `{{live}}`. */
export function withNames(bytes: string, keys: Keys): string {
  return Object.entries(keys).reduce(
    (text, [name, key]) => text.replaceAll(key, `{{${name}}}`),
    bytes,
  );
}
