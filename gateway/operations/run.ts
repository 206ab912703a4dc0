import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { createHealthServer } from './health.ts';
import { listen } from './listen.ts';

/** Milliseconds that requests under way have to end when a server stops. */
const drainTime = 10_000;

/** A server that takes requests. */
export interface Running {
  readonly port: number;
  /** Scheme, host and port that it listens at. */
  readonly origin: string;
  /** Takes no more requests, lets those under way end, and closes what stands behind them. */
  stop(): Promise<void>;
}

/**
 * Listens with a server, and with its health beside it where the settings ask for it.
 *
 * @param close what is left to do when the last request has ended, or when the server cannot listen
 * @throws ListenError
 */
export async function run(
  server: Server,
  { host, port, adminPort }: Pick<Config, 'host' | 'port' | 'adminPort'>,
  close: () => Promise<void>,
): Promise<Running> {
  const health = { ready: false };
  const healthServer = createHealthServer(health);

  async function stop(): Promise<void> {
    health.ready = false;
    await drain(server);
    healthServer.close();
    healthServer.closeAllConnections();
    await close();
  }

  try {
    const listening = await listen(server, port, host, 'PORT');
    if (adminPort !== undefined) await listen(healthServer, adminPort, host, 'ADMIN_PORT');
    health.ready = true;
    return { port: listening, origin: originAt(host, listening), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function originAt(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, delay(drainTime, undefined, { ref: false })]);
  server.closeAllConnections();
}
