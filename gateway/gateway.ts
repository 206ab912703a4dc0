import { FailedKeys } from './access/failed-keys.ts';
import type { Introspection } from './access/introspection.ts';
import { createApp } from './app.ts';
import type { OpenedKeys } from './auth/open.ts';
import type { Authentication } from './auth/service/authentication.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { InProcessLimits } from './limits/in-process.ts';
import type { UsageReader } from './limits/ledger.ts';
import type { LimitStore } from './limits/store.ts';
import type { Log } from './log/log.ts';
import { sparingLog } from './log/sparing-log.ts';
import { countedBodies } from './ops/metrics/body-cache.ts';
import { tellConnections } from './ops/metrics/connection-state.ts';
import { countChecks } from './ops/metrics/key-checks.ts';
import { countRefusals } from './ops/metrics/limit-refusals.ts';
import { tellSharing } from './ops/metrics/limit-sharing.ts';
import type { Metrics } from './ops/metrics/metric.ts';
import { tellRelease } from './ops/metrics/release-state.ts';
import { type Operations, openOperations, startWith } from './ops/operations.ts';
import { type Running, run } from './ops/run.ts';
import { CurrentRelease } from './release/current-release.ts';
import { createGatewayServer, type TimeLimits } from './server.ts';

export interface Gateway extends Running {
  readonly releases: CurrentRelease;
  /** The key to try the service with; see `developmentKey`. */
  readonly developmentKey: string | undefined;
}

/**
 * Starts a gateway with its parts as the settings say. When it stops, every count is put where it lasts.
 *
 * @param timeLimits for connections; the usual ones where none are given
 * @throws DamagedRelease, StorageError, ConfigError, ListenError
 */
export async function startGateway(config: Config, log: Log, timeLimits?: TimeLimits): Promise<Gateway> {
  return startWith(await openOperations(config, log), (operations) => start(config, operations, timeLimits));
}

async function start(config: Config, operations: Operations, timeLimits?: TimeLimits): Promise<Gateway> {
  const { log, metrics, watch } = operations;
  const requestLog = sparingLog(log, systemClock);
  const releases = await CurrentRelease.open(config.distDir, log);
  const keys = await openKeySource(config, log);
  const verifyKey = countChecks(keys.verifyKey, metrics);
  const here = 'database' in keys ? keys : undefined;
  const counts = await openCounts(config, here, log, metrics);
  const embedded = here && (await openEmbedded(config, { ...here, verifyKey }, counts.usage, requestLog));
  const failedKeys = new FailedKeys(config.failedKeysPerMinute, systemClock);
  const app = createApp({
    config,
    releases,
    bodies: countedBodies(config.cacheBytes, metrics),
    verifyKey,
    failedKeys,
    authentication: embedded?.routes,
    limits: countRefusals(counts.limits, failedKeys, metrics),
    log: requestLog,
  });
  const server = createGatewayServer(app, watch, timeLimits);
  tellRelease(releases, metrics);
  tellConnections(server.connections, metrics);
  const running = await run(server, config, operations, async () => {
    await releases.close();
    await counts.close().finally(() => keys.close());
  });
  embedded?.listensAt(running.origin);
  return { ...running, releases, developmentKey: here?.developmentKey };
}

/** Where keys are checked: by a service elsewhere, or in the database. Only what is used is loaded. */
async function openKeySource(config: Config, log: Log): Promise<Introspection | OpenedKeys> {
  if (config.introspection) {
    const { introspectKeys } = await import('./access/introspection.ts');
    return introspectKeys(config.introspection, config.plans, systemClock, log);
  }
  const { openKeys } = await import('./auth/open.ts');
  return openKeys(config, systemClock, log);
}

/** Where requests are counted, and limits decided. */
interface Counts {
  readonly limits: LimitStore;
  readonly usage: UsageReader;
  /** Puts every count where it lasts. */
  close(): Promise<void>;
}

/**
 * Counts in Redis, or else in the database.
 *
 * @param keys the database, where it is open
 */
async function openCounts(
  { redisUrl, database }: Config,
  keys: OpenedKeys | undefined,
  log: Log,
  metrics: Metrics | undefined,
): Promise<Counts> {
  if (redisUrl !== undefined) {
    const { openSharedLimits, usualPatience } = await import('./limits/redis/open.ts');
    const { readScripts } = await import('./limits/redis/scripts.ts');
    const scripts = await readScripts();
    const shared = await openSharedLimits({
      url: redisUrl,
      patience: usualPatience,
      scripts,
      clock: systemClock,
      log,
    });
    tellSharing(shared.limits, metrics);
    return shared;
  }
  const { openUsage } = await import('./auth/open.ts');
  const { usage, close } = keys ? { ...keys, close: async () => {} } : await openUsage(database);
  const limits = new InProcessLimits(usage, systemClock, log);
  return { limits, usage, close: () => limits.close().finally(close) };
}

/** The service in this process. */
async function openEmbedded(
  config: Config,
  keys: OpenedKeys,
  usage: UsageReader,
  log: Log,
): Promise<Authentication> {
  const { openAuthentication } = await import('./auth/service/authentication.ts');
  return openAuthentication(config, keys, usage, systemClock, log);
}
