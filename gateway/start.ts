/** Starts a gateway, or the authentication service as a process of its own. Only the parts in use are loaded. */
import type { Express, RequestHandler } from 'express';
import type { VerifyKey } from './access/require-key.ts';
import { createApp } from './app.ts';
import { realSystem, type System } from './clock.ts';
import { type Config, ConfigError, type IntrospectionService } from './config.ts';
import type { LimitStore, UsageLedger, UsageReader } from './limits/store.ts';
import { type Log, throttledLogger } from './log/logger.ts';
import {
  countKeyChecks,
  countRejections,
  registerLimitMetrics,
  registerMetrics,
} from './ops/metrics.ts';
import { type Operations, openOperations, type Running, run } from './ops/run.ts';
import { type CurrentRelease, openCurrentRelease } from './release/current-release.ts';
import { BodyCache } from './release/send.ts';
import { createGatewayServer, defaultServerLimits, type ServerLimits } from './server.ts';

/** What the settings do not decide. */
export interface StartOptions {
  /** For tests. */
  readonly serverLimits?: ServerLimits;
  /** For tests: clock and random numbers. */
  readonly system?: System;
}

/** What opens the parts of a server: what it takes, and registers how to close what it opened. */
interface Opening {
  readonly config: Config;
  readonly operations: Operations;
  readonly system: System;
  /** For lines that any request can cause. */
  readonly requestLog: Log;
  onClose(close: () => Promise<void>): void;
}

/** What a server is made of. */
interface Parts {
  readonly app: Express;
  /** Undefined: the authentication service serves no release. */
  readonly bodies?: BodyCache;
  readonly releases?: CurrentRelease;
  /** Tells the authentication service where it listens. */
  readonly setOrigin?: (origin: string) => void;
}

export type Gateway = Awaited<ReturnType<typeof startGateway>>;
export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts a gateway. @throws DamagedRelease, StorageError, ConfigError, ListenError */
export async function startGateway(config: Config, log: Log, options: StartOptions = {}) {
  return start(config.introspection ? openApart : openEmbedded, config, log, options);
}

/**
 * Starts the authentication service as a process of its own, for gateways elsewhere.
 *
 * @throws ConfigError, StorageError, ListenError
 */
export async function startService(config: Config, log: Log, options: StartOptions = {}) {
  if (config.introspectionSecret === undefined)
    throw new ConfigError('INTROSPECTION_SECRET is missing. Gateways need it to check keys.');
  return start(openService, config, log, options);
}

async function start<Opened extends Parts>(
  open: (opening: Opening) => Promise<Opened>,
  config: Config,
  log: Log,
  { system = realSystem, serverLimits = defaultServerLimits }: StartOptions,
): Promise<Running & Opened> {
  const operations = await openOperations(config, log);
  const closings: (() => Promise<void>)[] = [async () => operations.close()];

  /** Closes all that was opened, the last part first, even if some parts fail. @throws the first error */
  async function close(): Promise<void> {
    const results = [];
    for (const closing of closings.splice(0))
      results.push(...(await Promise.allSettled([closing()])));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  try {
    const parts = await open({
      config,
      operations,
      system,
      requestLog: throttledLogger(operations.log, system),
      onClose: (closing) => void closings.unshift(closing),
    });
    const server = createGatewayServer(parts.app, operations.observer, serverLimits);
    if (operations.metrics)
      registerMetrics({ ...parts, connections: server.connections }, operations.metrics);
    const running = await run(server, config, serverLimits, operations, close);
    parts.setOrigin?.(running.origin);
    return { ...parts, ...running };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** Opens a gateway with its own authentication service: accounts, keys and usage are in its database. */
async function openEmbedded(opening: Opening) {
  const { config, operations, system, requestLog, onClose } = opening;
  const [{ openKeys }, { openAuthentication }] = await Promise.all([
    import('./accounts/open.ts'),
    import('./accounts/service.ts'),
  ]);
  const releases = await openReleases(opening);
  const opened = await openKeys(config, system, operations.log);
  onClose(opened.close);
  const keys = { ...opened, verifyKey: countKeyChecks(opened.verifyKey, operations.metrics) };
  const { limits, usage, flush } = await openLimits(opening, keys.usage);
  const authentication = openAuthentication(config, keys, usage, system, requestLog);
  onClose(authentication.close);
  return {
    ...gatewayOf(opening, releases, keys.verifyKey, limits, authentication.routes),
    setOrigin: authentication.setOrigin,
    developmentKey: keys.developmentKey,
    /** For tests: writes what would otherwise be written within a second. */
    flush: () => flush().then(keys.flush),
  };
}

/** Opens a gateway whose keys are checked by a service elsewhere. */
async function openApart(opening: Opening): ReturnType<typeof openEmbedded> {
  const { config, operations, system, onClose } = opening;
  const { introspectKeys } = await import('./access/introspection.ts');
  const releases = await openReleases(opening);
  const service = config.introspection as IntrospectionService;
  const keys = introspectKeys(service, config.plans, system, operations.log);
  onClose(keys.close);
  const verifyKey = countKeyChecks(keys.verifyKey, operations.metrics);
  const { limits, flush } = await openLimits(opening);
  const gateway = gatewayOf(opening, releases, verifyKey, limits);
  return { ...gateway, setOrigin: () => {}, developmentKey: undefined, flush };
}

/** The app of a gateway, and what its metrics show. */
function gatewayOf(
  { config, operations, system, requestLog }: Opening,
  releases: CurrentRelease,
  verifyKey: VerifyKey,
  limits: LimitStore,
  authentication?: RequestHandler,
) {
  const bodies = new BodyCache(config.cacheBytes);
  const app = createApp({
    ...{ config, releases, bodies, verifyKey, authentication, clock: system, log: requestLog },
    ...countRejections(limits, operations.metrics),
  });
  return { app, bodies, releases };
}

/** Opens the authentication service for gateways elsewhere. */
async function openService({ config, operations, system, requestLog, onClose }: Opening) {
  const { log, metrics } = operations;
  const [{ openKeys }, { createServiceApp, openAuthentication }, { openUsageReader }] =
    await Promise.all([
      import('./accounts/open.ts'),
      import('./accounts/service.ts'),
      import('./accounts/usage.ts'),
    ]);
  const opened = await openKeys(config, system, log);
  onClose(opened.close);
  const keys = { ...opened, verifyKey: countKeyChecks(opened.verifyKey, metrics) };
  const counts = await openUsageReader(config, keys.usage, log);
  onClose(counts.close);
  const authentication = openAuthentication(config, keys, counts.usage, system, requestLog);
  onClose(authentication.close);
  const app = createServiceApp(authentication.routes, config.trustProxy, requestLog);
  return { app, setOrigin: authentication.setOrigin, flush: keys.flush };
}

/** Opens the current release. @throws DamagedRelease */
async function openReleases({ config, operations, onClose }: Opening): Promise<CurrentRelease> {
  const releases = await openCurrentRelease(config.distDir, operations.log);
  onClose(() => releases.close());
  return releases;
}

/**
 * Opens limits and usage: in Redis, or else of this process and in the database.
 *
 * @param stored usage in the database, if it is open
 */
async function openLimits(
  { config, operations, system, onClose }: Opening,
  stored?: UsageLedger & UsageReader,
) {
  const { log, metrics } = operations;
  if (config.redis) {
    const { openRedis } = await import('./limits/redis.ts');
    const shared = await openRedis({ location: config.redis, clock: system, log });
    onClose(shared.close);
    if (metrics) registerLimitMetrics(shared.limits, metrics);
    return { ...shared, flush: async () => {} };
  }
  const { inProcessLimits } = await import('./limits/in-process.ts');
  const usage = stored ?? (await openUsage(config, onClose));
  const limits = inProcessLimits(usage, system, log);
  onClose(limits.close);
  return { limits, usage, flush: limits.flush };
}

/** Opens the database for usage alone. @throws StorageError when it cannot be used */
async function openUsage({ database: location }: Config, onClose: Opening['onClose']) {
  const [{ openDatabase }, { storedUsage }] = await Promise.all([
    import('./accounts/store/store.ts'),
    import('./accounts/usage.ts'),
  ]);
  const database = await openDatabase(location);
  onClose(() => database.destroy());
  return storedUsage(database);
}
