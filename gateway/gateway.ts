import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { introspectKeys } from './access/introspection.ts';
import type { VerifyKey } from './access/verify.ts';
import { createApp } from './app.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { InProcessLimits } from './limits/in-process.ts';
import { defaultPlan } from './limits/plans.ts';
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
 * @throws DamagedRelease, DatabaseError, ListenError
 */
export async function startGateway(config: Config, log: Log): Promise<Gateway> {
  const release = await loadRelease(config.distDir);
  const keys = await openKeys(config, log);
  try {
    const { verifyKey, limits, developmentKey } = keys;
    const server = createGatewayServer(createApp({ config, release, verifyKey, limits, log }));
    const health = { ready: false };
    const healthServer = createHealthServer(health);
    const port = await listen(server, config.port, config.host, 'PORT');
    try {
      if (config.adminPort !== undefined)
        await listen(healthServer, config.adminPort, config.host, 'ADMIN_PORT');
    } catch (error) {
      server.close();
      throw error;
    }
    health.ready = true;
    const stop = async () => {
      health.ready = false;
      await drain(server);
      await keys.close();
      healthServer.close();
      healthServer.closeAllConnections();
    };
    return { release, port, developmentKey, stop };
  } catch (error) {
    await keys.close();
    throw error;
  }
}

interface Keys {
  readonly verifyKey: VerifyKey;
  readonly limits: InProcessLimits;
  readonly developmentKey: string | undefined;
  close(): Promise<void>;
}

/** Keys checked here or by a service elsewhere; usage kept in the database either way. */
async function openKeys(config: Config, log: Log): Promise<Keys> {
  const { openDatabase } = await import('./keys/database.ts');
  const { StoredUsage } = await import('./keys/usage.ts');
  const database = await openDatabase(config.databaseFile);
  const limits = new InProcessLimits(new StoredUsage(database), systemClock, log);
  const close = async () => {
    await limits.close();
    await database.destroy();
  };
  const plan = defaultPlan(config.plans);
  if (config.introspection) {
    const verifyKey = introspectKeys(config.introspection, plan, systemClock, log);
    return { verifyKey, limits, developmentKey: undefined, close };
  }
  const { verifyStoredKeys } = await import('./keys/verify-stored.ts');
  const { developmentKey } = await import('./keys/development-key.ts');
  const verifyKey = verifyStoredKeys(database, config.apiKeyPrefix, systemClock, log);
  const settings = { dataDir: config.dataDir, prefix: config.apiKeyPrefix, plan };
  return {
    verifyKey,
    limits,
    developmentKey: config.production
      ? undefined
      : await developmentKey(database, verifyKey, systemClock, settings),
    close,
  };
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, delay(drainTime, undefined, { ref: false })]);
  server.closeAllConnections();
}
