import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { TimeLimits } from '../../../gateway/server.ts';
import { type MonitoredGateway, startMonitoredGateway } from '../../gateway/monitored-gateway.ts';
import { Accounts, plans } from '../soak/accounts.ts';
import { isLong } from './short-or-long.ts';
import { publishSmallRelease } from './small-release.ts';

/** A small release, accounts and keys, and gateway processes that end with their test. */
export interface GatewayFixture {
  readonly folder: string;
  readonly distDir: string;
  readonly dataDir: string;
  /** The folder of the published release. */
  readonly release: string;
  /** Accounts and keys in the database of the data folder. */
  readonly accounts: Accounts;
  /** @param module the module that starts the gateway, if it is not `gateway/main.ts` */
  start(settings?: Readonly<Record<string, string>>, module?: string): Promise<MonitoredGateway>;
}

export async function createGatewayFixture(
  t: TestContext,
  morePapers?: readonly string[],
): Promise<GatewayFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-fault-'));
  const places = { distDir: join(folder, 'dist'), dataDir: join(folder, 'data') };
  const release = await publishSmallRelease(places.distDir, 'first', morePapers);
  const accounts = await Accounts.open(join(places.dataDir, 'pastpaper.db'));
  const started: MonitoredGateway[] = [];
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
      const gateway = await startMonitoredGateway(places, plans, settings, module);
      started.push(gateway);
      return gateway;
    },
  };
}

/** Time limits of connections in short versions of tests. */
const shortLimits: TimeLimits = {
  header: 4_000,
  request: 4_000,
  checkInterval: 250,
  idle: 4_500,
  stalled: 4_500,
  response: 30_000,
};

/** Starts a gateway with the default time limits in the full version of a test, and with short ones in the short version. */
export function startWithTimeLimits(fixture: GatewayFixture): Promise<MonitoredGateway> {
  return isLong
    ? fixture.start()
    : fixture.start(
        { TIME_LIMITS: JSON.stringify(shortLimits) },
        'test/long/faults/short-timeout-gateway.ts',
      );
}
