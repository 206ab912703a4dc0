import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startWatchedGateway, type WatchedGateway } from '../../gateway/watched-gateway.ts';
import { Accounts, plans } from '../soak/accounts.ts';
import { publishSmallRelease } from './small-release.ts';

/** A small release, keys, and gateways in processes of their own, which end with their test. */
export interface FaultPlace {
  readonly folder: string;
  readonly distDir: string;
  readonly dataDir: string;
  /** The folder of the release that was published. */
  readonly release: string;
  /** Accounts and keys in the data folder's database. */
  readonly accounts: Accounts;
  /** @param module what starts the gateway, where it is not `gateway/main.ts` */
  start(settings?: Readonly<Record<string, string>>, module?: string): Promise<WatchedGateway>;
}

export async function makeFaultPlace(t: TestContext, morePapers?: readonly string[]): Promise<FaultPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-fault-'));
  const places = { distDir: join(folder, 'dist'), dataDir: join(folder, 'data') };
  const release = await publishSmallRelease(places.distDir, 'first', morePapers);
  const accounts = await Accounts.open(join(places.dataDir, 'pastpaper.db'));
  const started: WatchedGateway[] = [];
  t.after(async () => {
    for (const gateway of started) if (gateway.isRunning) gateway.process.kill('SIGKILL');
    await accounts.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder,
    ...places,
    release,
    accounts,
    async start(settings, module) {
      const gateway = await startWatchedGateway(places, plans, settings, module);
      started.push(gateway);
      return gateway;
    },
  };
}
