import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Log } from '../log/log.ts';
import type { GatewayServer } from '../server.ts';
import { listen, originAt, publicSettings } from './listen.ts';
import type { Operations } from './operations.ts';

/** Milliseconds from one line in the log to the next while connections are refused. */
const quietTime = 10_000;

/** A server that takes requests. */
export interface Running {
  readonly port: number;
  /** Scheme, host and port that it listens at. */
  readonly origin: string;
  /** Those of health and metrics, where they are served. */
  readonly adminOrigin: string | undefined;
  /** Takes no more requests, lets those under way end, and closes what stands behind them. */
  stop(): Promise<void>;
}

/**
 * Listens with a server; from then on the process is ready.
 *
 * @param close what is left to do when the last request has ended, or when the server cannot listen
 * @throws ListenError
 */
export async function run(
  gateway: GatewayServer,
  { host, port, drain, maxConnections }: Pick<Config, 'host' | 'port' | 'drain' | 'maxConnections'>,
  operations: Operations,
  close: () => Promise<void>,
): Promise<Running> {
  async function stop(): Promise<void> {
    operations.state.phase = 'stopping';
    gateway.connections.endAfterAnswers();
    if (drain.delay > 0) await delay(drain.delay);
    await endRequests(gateway, drain.time, operations);
    try {
      await close();
    } finally {
      operations.close();
    }
  }

  boundConnections(gateway.server, maxConnections, operations.log);
  const listening = await listen(gateway.server, port, host, publicSettings).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  operations.state.phase = 'ready';
  return {
    port: listening,
    origin: originAt(host, listening),
    adminOrigin: operations.origin,
    stop,
  };
}

/** Beyond the bound a connection is closed as soon as it is made. The log tells so, for as long as it lasts. */
function boundConnections(server: Server, most: number, log: Log): void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  server.maxConnections = most;
  server.on('drop', () => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + quietTime;
    log(`Connections are refused: there are ${most}, as many as MAX_CONNECTIONS allows.`);
  });
}

/** Stops to listen, and ends the connections: idle ones now, the others with their answers or when the time is up. */
async function endRequests(
  { server, connections }: GatewayServer,
  time: number,
  { log }: Operations,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, delay(time, undefined, { ref: false })]);
  const cut = connections.underWay;
  if (cut > 0) log(`Requests were cut off that had not ended within DRAIN_SECONDS: ${cut}.`);
  server.closeAllConnections();
}
