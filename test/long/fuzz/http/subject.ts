import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentLink } from '../../../../build/release/manifest.ts';
import { buildFolder } from '../../../build/build-folder.ts';
import { sampleContentDir } from '../../../content/sample-bank.ts';
import { type MonitoredGateway, startMonitoredGateway } from '../../../gateway/monitored-gateway.ts';
import { makeKeys, plans } from './keys.ts';
import type { Known } from './model.ts';
import { readServed } from './served.ts';

/** The gateway that is tried, with the sample bank and keys in every state. */
export interface Subject {
  readonly known: Known;
  /** Another one when the first has ended. */
  readonly gateway: MonitoredGateway;
  /** Starts the gateway anew. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const corsOrigin = 'https://reader.example';

export async function startSubject(): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-fuzz-'));
  const places = { distDir: join(folder, 'dist'), dataDir: join(folder, 'data') };
  const { publication } = await buildFolder(sampleContentDir, places.distDir);
  if (!publication) throw new Error('The sample bank does not build.');
  const known: Known = {
    release: await readServed(await realpath(join(places.distDir, currentLink))),
    keys: await makeKeys(join(places.dataDir, 'pastpaper.db')),
    corsOrigin,
  };
  const start = () =>
    startMonitoredGateway(places, plans, { CORS_ORIGINS: corsOrigin, FAILED_KEYS_PER_MINUTE: '0' });
  let gateway = await start();
  return {
    known,
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
