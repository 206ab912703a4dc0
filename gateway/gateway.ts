import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { introspectKeys } from './access/introspection.ts';
import { createApp } from './app.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { openKeys } from './keys/open.ts';
import { InProcessLimits } from './limits/in-process.ts';
import { createHealthServer } from './operations/health.ts';
import { listen } from './operations/listen.ts';
import type { Log } from './operations/log.ts';
import { loadRelease, type Release } from './release/release.ts';
import { createGatewayServer } from './server.ts';

/** Milliseconds that requests under way have to end when the gateway stops. */
const drainTime = 10_000;

export interface Gateway {
  readonly release: Release;
  readonly port: number;
  /** The key to try the service with; see `developmentKey`. */
  readonly developmentKey: string | undefined;
  /** Takes no more requests, lets those under way end, and puts every count where it lasts. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway with its parts as the settings say.
 *
 * @throws DamagedRelease, StorageError, ConfigError, ListenError
 */
export async function startGateway(config: Config, log: Log): Promise<Gateway> {
  const release = await loadRelease(config.distDir);
  const keys = await openKeys(config, systemClock, log);
  const limits = new InProcessLimits(keys.ledger, systemClock, log);
  const verifyKey = config.introspection
    ? introspectKeys(config.introspection, config.plans, systemClock, log)
    : keys.verifyKey;
  const server = createGatewayServer(createApp({ config, release, verifyKey, limits, log }));
  const health = { ready: false };
  const healthServer = createHealthServer(health);

  async function stop(): Promise<void> {
    health.ready = false;
    await drain(server);
    healthServer.close();
    healthServer.closeAllConnections();
    await limits.close().finally(() => keys.close());
  }

  try {
    const port = await listen(server, config.port, config.host, 'PORT');
    if (config.adminPort !== undefined)
      await listen(healthServer, config.adminPort, config.host, 'ADMIN_PORT');
    health.ready = true;
    return { release, port, developmentKey: keys.developmentKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, delay(drainTime, undefined, { ref: false })]);
  server.closeAllConnections();
}
