import { DamagedRelease } from '../../../build/release/manifest.ts';
import { systemClock } from '../../clock.ts';
import { type Config, ConfigError } from '../../config.ts';
import type { Log } from '../../operations/log.ts';
import { type Running, run } from '../../operations/run.ts';
import { Bodies } from '../../release/bodies.ts';
import { CurrentRelease } from '../../release/current-release.ts';
import { createGatewayServer } from '../../server.ts';
import { openKeys } from '../open.ts';
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
  const releases = await findReleases(config.distDir, log);
  const bodies = new Bodies(config.cacheBytes);
  const keys = await openKeys({ ...config, introspection: undefined }, systemClock, log);
  const { routes, listensAt } = openAuthentication(config, keys, systemClock, log);
  const server = createGatewayServer(createServiceApp(routes, releases, bodies, config.trustProxy, log));
  const running = await run(server, config, async () => {
    await releases?.close();
    await keys.close();
  });
  listensAt(running.origin);
  return { ...running, hasPages: releases !== undefined };
}

/** Where the dashboard is; the service does without one. */
function findReleases(distDir: string, log: Log): Promise<CurrentRelease | undefined> {
  return CurrentRelease.open(distDir, log).catch((error: unknown) => {
    if (error instanceof DamagedRelease) return undefined;
    throw error;
  });
}
