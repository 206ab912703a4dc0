import type { Introspection } from './access/introspection.ts';
import { createApp } from './app.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { type OpenedKeys, openKeys } from './keys/open.ts';
import type { Authentication } from './keys/service/authentication.ts';
import { InProcessLimits } from './limits/in-process.ts';
import type { Log } from './operations/log.ts';
import { type Running, run } from './operations/run.ts';
import { Bodies } from './release/bodies.ts';
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
 * @param timeLimits for requests to arrive; the usual ones where none are given
 * @throws DamagedRelease, StorageError, ConfigError, ListenError
 */
export async function startGateway(config: Config, log: Log, timeLimits?: TimeLimits): Promise<Gateway> {
  const releases = await CurrentRelease.open(config.distDir, log);
  const keys = await openKeys(config, systemClock, log);
  const limits = new InProcessLimits(keys.usage, systemClock, log);
  const remote = await openRemote(config, log);
  const embedded = remote ? undefined : await openEmbedded(config, keys, log);
  const app = createApp({
    config,
    releases,
    bodies: new Bodies(config.cacheBytes),
    verifyKey: remote?.verifyKey ?? keys.verifyKey,
    authentication: embedded?.routes,
    limits,
    log,
  });
  const running = await run(createGatewayServer(app, timeLimits), config, async () => {
    await releases.close();
    await remote?.close();
    await limits.close().finally(() => keys.close());
  });
  embedded?.listensAt(running.origin);
  return { ...running, releases, developmentKey: keys.developmentKey };
}

/** The client of a service elsewhere, loaded where the settings name one. */
async function openRemote({ introspection, plans }: Config, log: Log): Promise<Introspection | undefined> {
  if (!introspection) return undefined;
  const { introspectKeys } = await import('./access/introspection.ts');
  return introspectKeys(introspection, plans, systemClock, log);
}

/** The service in this process, loaded where there is none elsewhere. */
async function openEmbedded(config: Config, keys: OpenedKeys, log: Log): Promise<Authentication> {
  const { openAuthentication } = await import('./keys/service/authentication.ts');
  return openAuthentication(config, keys, systemClock, log);
}
