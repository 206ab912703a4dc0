import { DamagedRelease } from '../../../build/release/manifest.ts';
import { systemClock } from '../../clock.ts';
import { type Config, ConfigError } from '../../config.ts';
import type { Log } from '../../log/log.ts';
import { sparingLog } from '../../log/sparing-log.ts';
import { countedBodies } from '../../ops/metrics/body-cache.ts';
import { tellConnections } from '../../ops/metrics/connection-state.ts';
import { countChecks } from '../../ops/metrics/key-checks.ts';
import { tellRelease } from '../../ops/metrics/release-state.ts';
import { type Operations, openOperations, startWith } from '../../ops/operations.ts';
import { type Running, run } from '../../ops/run.ts';
import { CurrentRelease } from '../../release/current-release.ts';
import { createGatewayServer } from '../../server.ts';
import { type OpenedKeys, openKeys } from '../open.ts';
import { createServiceApp } from './app.ts';
import { openAuthentication } from './authentication.ts';

export interface Service extends Running {
  /** Whether it serves the pages of the dashboard. */
  readonly hasPages: boolean;
}

/**
 * Starts the authentication service by itself, for gateways elsewhere.
 *
 * @throws ConfigError, StorageError, ListenError
 */
export async function startService(config: Config, log: Log): Promise<Service> {
  if (config.introspectionSecret === undefined) {
    throw new ConfigError('INTROSPECTION_SECRET is missing: gateways show it to ask about keys.');
  }
  return startWith(await openOperations(config, log), (operations) => start(config, operations));
}

async function start(config: Config, operations: Operations): Promise<Service> {
  const { log, metrics, watch } = operations;
  const releases = await findReleases(config.distDir, log);
  const opened = await openKeys(config, systemClock, log);
  const keys = { ...opened, verifyKey: countChecks(opened.verifyKey, metrics) };
  const { usage, close } = await openUsage(config, keys, log);
  const requestLog = sparingLog(log, systemClock);
  const { routes, listensAt } = openAuthentication(config, keys, usage, systemClock, requestLog);
  const bodies = countedBodies(config.cacheBytes, metrics);
  const app = createServiceApp(routes, releases, bodies, config.trustProxy, requestLog);
  const server = createGatewayServer(app, watch);
  if (releases) tellRelease(releases, metrics);
  tellConnections(server.connections, metrics);
  const running = await run(server, config, operations, async () => {
    await releases?.close();
    await close();
    await keys.close();
  });
  listensAt(running.origin);
  return { ...running, hasPages: releases !== undefined };
}

/** What people see of their usage: gateways count it in Redis, or in the database. */
async function openUsage({ redisUrl }: Config, { usage }: OpenedKeys, log: Log) {
  if (redisUrl === undefined) return { usage, close: async () => {} };
  const { openSharedUsage } = await import('../../limits/redis/open.ts');
  return openSharedUsage(redisUrl, log);
}

/** Where the dashboard is; the service does without one. */
function findReleases(distDir: string, log: Log): Promise<CurrentRelease | undefined> {
  return CurrentRelease.open(distDir, log).catch((error: unknown) => {
    if (error instanceof DamagedRelease) return undefined;
    throw error;
  });
}
