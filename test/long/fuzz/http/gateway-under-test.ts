import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { generateKey } from '../../../../gateway/accounts/verify-keys.ts';
import { realSystem } from '../../../../gateway/clock.ts';
import type { ServerLimits } from '../../../../gateway/server.ts';
import { temporaryFolder } from '../../../build/bank-folder.ts';
import { publishedFolder } from '../../../build/release-folder.ts';
import { sampleContentDir } from '../../../content/sample-bank.ts';
import { serverSettings, startMonitoredGateway } from '../../../gateway/server-process.ts';
import { Accounts } from '../../accounts.ts';
import { readServedRelease, type StoredBody } from './stored-release.ts';

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

/** What responses are compared with. */
export interface FuzzContext {
  readonly release: readonly StoredBody[];
  readonly keys: Keys;
  readonly corsOrigin: string;
}

const corsOrigin = 'https://reader.example';

/** Starts a gateway with the sample bank and keys in every state. */
export async function startGatewayUnderTest() {
  // Without samples, no body is both public and protected.
  const DIST_DIR = await temporaryFolder();
  await publishedFolder(sampleContentDir, DIST_DIR);
  const settings = await serverSettings({
    DIST_DIR,
    CORS_ORIGINS: corsOrigin,
    FAILED_KEYS_PER_MINUTE: '0',
    INTROSPECTION_SECRET: randomBytes(32).toString('base64url'),
    ADMIN_PORT: '0',
    LOG_LEVEL: 'error',
    TIME_LIMITS: JSON.stringify(serverLimits),
  });
  const context: FuzzContext = {
    release: await readServedRelease(DIST_DIR),
    keys: await makeKeys(join(settings['DATA_DIR'] ?? '', 'pastpaper.db')),
    corsOrigin,
  };
  const module = 'test/long/faults/short-timeout-gateway.ts';
  return { context, gateway: await startMonitoredGateway(settings, module) };
}

type Keys = Awaited<ReturnType<typeof makeKeys>>;

/**
 * Creates keys in every state in a database file, before a gateway opens it. All have the same length, so that byte
 * offsets are reproducible.
 */
async function makeKeys(file: string) {
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
