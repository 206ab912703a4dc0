/** Starts a gateway, or the authentication service as a process of its own. Only the parts in use are loaded. */
import type { Express } from 'express';
import { DamagedRelease } from '../build/release/manifest.ts';
import { openFailedKeys } from './access/failed-keys.ts';
import type { Introspection } from './access/introspection.ts';
import { createApp } from './app.ts';
import type { OpenedKeys } from './auth/open.ts';
import type { Authentication } from './auth/service.ts';
import { type Config, ConfigError } from './config.ts';
import { inProcessLimits } from './limits/in-process.ts';
import { type Log, throttledLogger } from './log/logger.ts';
import {
  countKeyChecks,
  countRejections,
  registerLimitMetrics,
  registerMetrics,
  registerSourceMetrics,
} from './ops/metrics.ts';
import { type Operations, openOperations, type Running, run } from './ops/run.ts';
import { BodyCache } from './release/body-cache.ts';
import {
  type CurrentRelease,
  openCurrentRelease,
  type Releases,
} from './release/current-release.ts';
import { createGatewayServer, type TimeLimits } from './server.ts';
import { realSystem, type System } from './system.ts';

/** What the settings do not decide. */
export interface StartOptions {
  /** The compiled `release/release-process.ts`; without it, releases are read and pulled in this process. */
  readonly releaseProcess?: string;
  /** For tests. */
  readonly timeLimits?: TimeLimits;
  /** For tests: clock, random numbers and the cost of password hashes. */
  readonly system?: System;
}

/** Registers how to close what was opened. */
export type OnClose = (closing: () => Promise<void>) => void;

/** Closes all that was opened, the last part first, even if some parts fail. */
export function closeTogether() {
  const closings: (() => Promise<void>)[] = [];
  const onClose: OnClose = (closing) => void closings.unshift(closing);

  /** @throws the first error */
  async function close(): Promise<void> {
    const results = [];
    for (const closing of closings.splice(0))
      results.push(...(await Promise.allSettled([closing()])));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  return { onClose, close };
}

/** What a server is made of. */
interface Parts {
  readonly app: Express;
  readonly bodies: BodyCache;
  /** Undefined: there is none. */
  readonly releases: CurrentRelease | undefined;
  readonly authentication: Authentication | undefined;
}

/** Opens the parts of a server. Those that were opened are closed if it fails. */
type Open<Opened> = (
  config: Config,
  operations: Operations,
  options: StartOptions,
  onClose: OnClose,
) => Promise<Opened>;

export type Gateway = Awaited<ReturnType<typeof startGateway>>;
export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts a gateway. @throws DamagedRelease, StorageError, ConfigError, ListenError */
export async function startGateway(config: Config, log: Log, options: StartOptions = {}) {
  return start(openGateway, config, await openOperations(config, log), options);
}

/**
 * Starts the authentication service as a process of its own, for gateways elsewhere.
 *
 * @throws ConfigError, StorageError, ListenError
 */
export async function startService(config: Config, log: Log, options: StartOptions = {}) {
  if (config.introspectionSecret === undefined)
    throw new ConfigError('INTROSPECTION_SECRET is missing. Gateways need it to check keys.');
  return start(openService, config, await openOperations(config, log), options);
}

async function start<Opened extends Parts>(
  open: Open<Opened>,
  config: Config,
  operations: Operations,
  options: StartOptions,
): Promise<Running & Opened> {
  const { metrics, observer } = operations;
  const { onClose, close } = closeTogether();
  onClose(async () => operations.close());
  try {
    const parts = await open(config, operations, options, onClose);
    const server = createGatewayServer(parts.app, observer, options.timeLimits);
    if (metrics) registerMetrics({ ...parts, connections: server.connections }, metrics);
    const running = await run(server, config, operations, close);
    parts.authentication?.setOrigin(running.origin);
    return { ...parts, ...running };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

async function openGateway(...args: Parameters<Open<unknown>>) {
  const releases = await openReleases(...args);
  return { ...(await openApp(...args, releases)), releases };
}

/** Opens the current release, and follows the release source, if there is one. @throws DamagedRelease, StoreError */
export async function openReleases(
  { distDir, releaseSource }: Config,
  { log, metrics }: Operations,
  { releaseProcess }: StartOptions,
  onClose: OnClose,
): Promise<CurrentRelease> {
  const open = async () => {
    const releases = await openCurrentRelease(distDir, log, releaseProcess);
    onClose(() => releases.close());
    return releases;
  };
  if (releaseSource === undefined) return open();
  const { openReleaseSource } = await import('./release/release-source.ts');
  const source = await openReleaseSource(releaseSource, distDir, log, releaseProcess);
  onClose(() => source.close());
  const releases = await open().catch(async (error: unknown) => {
    if (!(error instanceof DamagedRelease)) throw error;
    await source.pullFirst();
    return open();
  });
  // The store can replace its damaged files.
  if (releases.isRejecting) await source.check(true);
  source.follow(releases);
  if (metrics) registerSourceMetrics(source, metrics);
  return releases;
}

async function openApp(
  config: Config,
  operations: Operations,
  { system = realSystem }: StartOptions,
  onClose: OnClose,
  releases: Releases,
) {
  const { log, metrics } = operations;
  const requestLog = throttledLogger(log, system);
  const keys = await openKeySource(config, system, log);
  onClose(() => keys.close());
  const verifyKey = countKeyChecks(keys.verifyKey, metrics);
  const embedded = 'database' in keys ? { ...keys, verifyKey } : undefined;
  const { limits, usage, ...counts } = await openCounts(
    config,
    embedded,
    system,
    operations,
    onClose,
  );
  const { openAuthentication } = embedded ? await import('./auth/service.ts') : {};
  const authentication =
    embedded && openAuthentication?.(config, embedded, usage ?? embedded.usage, system, requestLog);
  if (authentication) onClose(() => authentication.close());
  const failedKeys = openFailedKeys(config.failedKeysPerMinute, system);
  const bodies = new BodyCache(config.cacheBytes);
  const app = createApp({
    config,
    releases,
    bodies,
    verifyKey,
    failedKeys,
    authentication: authentication?.routes,
    limits: countRejections(limits, failedKeys, metrics),
    log: requestLog,
  });
  async function flush(): Promise<void> {
    await counts.flush();
    await embedded?.flush();
    await authentication?.flush();
  }
  return { app, bodies, authentication, developmentKey: embedded?.developmentKey, flush };
}

async function openService(
  config: Config,
  { log, metrics }: Operations,
  { releaseProcess, system = realSystem }: StartOptions,
  onClose: OnClose,
) {
  const [{ openKeys }, { createServiceApp, openAuthentication }, { openUsageReader }] =
    await Promise.all([
      import('./auth/open.ts'),
      import('./auth/service.ts'),
      import('./auth/usage.ts'),
    ]);
  const requestLog = throttledLogger(log, system);
  // With the pages of the dashboard. The service works without a release.
  const releases = await openCurrentRelease(config.distDir, log, releaseProcess).catch(
    (error: unknown) => {
      if (error instanceof DamagedRelease) return undefined;
      throw error;
    },
  );
  if (releases) onClose(() => releases.close());
  const opened = await openKeys(config, system, log);
  onClose(() => opened.close());
  const keys = { ...opened, verifyKey: countKeyChecks(opened.verifyKey, metrics) };
  const counts = await openUsageReader(config, keys.usage, log);
  onClose(() => counts.close());
  const authentication = openAuthentication(config, keys, counts.usage, system, requestLog);
  onClose(() => authentication.close());
  const bodies = new BodyCache(config.cacheBytes);
  const app = createServiceApp(
    authentication.routes,
    releases,
    bodies,
    config.trustProxy,
    requestLog,
  );
  const flush = () => keys.flush().then(authentication.flush);
  return { app, bodies, releases, authentication, flush };
}

/** Key checks: by a service elsewhere, or in the database. */
async function openKeySource(
  config: Config,
  system: System,
  log: Log,
): Promise<Introspection | OpenedKeys> {
  if (config.introspection) {
    const { introspectKeys } = await import('./access/introspection.ts');
    return introspectKeys(config.introspection, config.plans, system, log);
  }
  const { openKeys } = await import('./auth/open.ts');
  return openKeys(config, system, log);
}

const noFlush = async () => {};

/** Counts in Redis, or else in the database. @param keys the database, if it is open */
export async function openCounts(
  config: Config,
  keys: OpenedKeys | undefined,
  system: System,
  { log, metrics }: Operations,
  onClose: OnClose,
) {
  const { redis } = config;
  if (redis) {
    const { openSharedLimits } = await import('./limits/redis/shared-limits.ts');
    const shared = await openSharedLimits({ location: redis, clock: system, log });
    onClose(shared.close);
    if (metrics) registerLimitMetrics(shared.limits, metrics);
    return { ...shared, flush: noFlush };
  }
  const { openUsage } = await import('./auth/open.ts');
  const opened = keys ?? (await openUsage(config, system));
  if (opened !== keys) onClose(() => opened.close());
  const { usage } = opened;
  const limits = inProcessLimits(usage, system, log);
  onClose(() => limits.close());
  return { limits, usage, flush: limits.flush };
}
