import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentLink } from '../../../../build/release/manifest.ts';
import { buildFolder } from '../../../build/build-folder.ts';
import { sampleContentDir } from '../../../content/sample-bank.ts';
import { type MonitoredGateway, startMonitoredGateway } from '../../../gateway/monitored-gateway.ts';
import { timeLimits } from './execute-plan.ts';
import { makeKeys, plans } from './keys.ts';
import type { ModelContext } from './model.ts';
import { readStoredRelease } from './stored-release.ts';

/** A gateway with the sample bank and keys in every state. */
export interface GatewayUnderTest {
  readonly context: ModelContext;
  /** Replaced by `restart`. */
  readonly gateway: MonitoredGateway;
  /** Restarts the gateway. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const corsOrigin = 'https://reader.example';

export async function startGatewayUnderTest(): Promise<GatewayUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-fuzz-'));
  const places = { distDir: join(folder, 'dist'), dataDir: join(folder, 'data') };
  const { publication } = await buildFolder(sampleContentDir, places.distDir);
  if (!publication) throw new Error('The sample bank does not build.');
  const context: ModelContext = {
    release: await readStoredRelease(await realpath(join(places.distDir, currentLink))),
    keys: await makeKeys(join(places.dataDir, 'pastpaper.db')),
    corsOrigin,
  };
  const settings = {
    CORS_ORIGINS: corsOrigin,
    FAILED_KEYS_PER_MINUTE: '0',
    INTROSPECTION_SECRET: randomBytes(32).toString('base64url'),
    ADMIN_PORT: '0',
    LOG_LEVEL: 'error',
    TIME_LIMITS: JSON.stringify(timeLimits),
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
    async close() {
      await gateway.stop();
      await rm(folder, { recursive: true });
    },
  };
}
