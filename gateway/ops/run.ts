/** How a process reports to its operator, listens, drains its connections, and ends. */
import type { Server } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../../build/release/user-error.ts';
import { realSystem } from '../clock.ts';
import type { Config } from '../config.ts';
import { networkOf } from '../limits/window.ts';
import { type Log, throttledLogger } from '../log/logger.ts';
import type { GatewayServer, RequestObserver, ServerLimits } from '../server.ts';
import type { State } from './admin-server.ts';
import { countLogLines, type Metrics, observeRequests } from './metrics.ts';

/** Milliseconds between two log lines while connections are rejected or cannot be accepted. */
const logInterval = 10_000;

/** What the operator sees of a process: log, health and metrics. */
export interface Operations {
  readonly log: Log;
  /** Of health and metrics; undefined: they are not served. */
  readonly origin: string | undefined;
  /** Undefined: nothing is counted. */
  readonly metrics: Metrics | undefined;
  /** Undefined: requests are neither counted nor logged. */
  readonly observer: RequestObserver | undefined;
  readonly state: State;
  /** Closes the admin server. */
  close(): void;
}

/**
 * Starts health and metrics where ADMIN_PORT is set. The process is live from then on, and ready as its state says.
 *
 * @throws ListenError
 */
export async function openOperations(config: Config, log: Log): Promise<Operations> {
  const { adminPort, adminHost } = config;
  const requestLog = config.logLevel === 'debug' ? log : undefined;
  const none = { log, origin: undefined, state: { phase: 'starting' } as State, close: () => {} };
  if (adminPort === undefined) {
    const observer = requestLog && observeRequests(undefined, requestLog);
    return { ...none, metrics: undefined, observer };
  }
  const { createAdminServer, openMetrics } = await import('./admin-server.ts');
  const metrics = openMetrics();
  const observer = observeRequests(metrics, requestLog);
  const operations = { ...none, log: countLogLines(log, metrics), metrics, observer };
  const server = createAdminServer(operations.state, metrics, adminHost, log);
  const port = await listen(server, adminPort, adminHost, log, 'ADMIN_');
  return {
    ...operations,
    origin: originAt(adminHost, port),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A server that accepts requests. */
export type Running = Awaited<ReturnType<typeof run>>;

/**
 * Makes a server listen; from then on the process is ready.
 *
 * @param close is called when the last request has ended
 * @throws ListenError
 */
export async function run(
  gateway: GatewayServer,
  { host, port }: Pick<Config, 'host' | 'port'>,
  limits: ServerLimits,
  operations: Operations,
  close: () => Promise<void>,
) {
  /**
   * Stops listening, lets pending requests end, and closes everything behind them.
   *
   * @param grace milliseconds that an idle connection stays open, for a request that may be on its way
   */
  async function stop(grace = 0): Promise<void> {
    operations.state.phase = 'stopping';
    gateway.connections.closeAfterResponses();
    await endConnections(gateway, grace, limits.drain, operations.log);
    await close();
  }

  limitConnections(gateway, limits.connections, operations.log);
  const listening = await listen(gateway.server, port, host, operations.log);
  operations.state.phase = 'ready';
  return {
    port: listening,
    /** Scheme, host and port. */
    origin: originAt(host, listening),
    /** The origin of health and metrics, if they are served. */
    adminOrigin: operations.origin,
    stop,
  };
}

/** Connections that one address may have: a tenth of all, and at least a few. */
const addressShare = 0.1;
const minPerAddress = 10;

/** Closes connections beyond the limits, and logs it at intervals. Trusted proxies have no limit of their own. */
function limitConnections(
  { server, isProxy }: GatewayServer,
  maxConnections: number,
  log: Log,
): void {
  const maxPerAddress = Math.max(minPerAddress, Math.ceil(maxConnections * addressShare));
  const counts = new Map<string, number>();
  const logRarely = throttledLogger(log, realSystem, 1, logInterval);
  const logLimit = (limit: string) => logRarely(`New connections are closed: ${limit} are open.`);

  server.maxConnections = maxConnections;
  server.on('drop', () => logLimit(`all ${maxConnections}`));
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isProxy(remoteAddress)) return;
    const client = networkOf(remoteAddress);
    const count = counts.get(client) ?? 0;
    if (count === maxPerAddress) {
      socket.destroy();
      logLimit(`the ${count} of one address`);
      return;
    }
    counts.set(client, count + 1);
    socket.once('close', () => {
      const left = (counts.get(client) ?? 0) - 1;
      if (left > 0) counts.set(client, left);
      else counts.delete(client);
    });
  });
}

/** Stops listening; ends each connection after its next response or `grace` idle milliseconds, and all after `time`. */
async function endConnections(
  { server, connections }: GatewayServer,
  grace: number,
  time: number,
  log: Log,
): Promise<void> {
  // The close of HTTP servers would also close idle connections, while a request may be on its way.
  const closed = new Promise<void>(
    (resolve) => void NetServer.prototype.close.call(server, () => resolve()),
  );
  const end = delay(time, undefined, { ref: false });
  await Promise.race([closed, end, delay(grace, undefined, { ref: false })]);
  connections.closeIdle(server);
  await Promise.race([closed, end]);
  const { pending } = connections;
  if (pending > 0) log(`Requests aborted because they did not end in time: ${pending}.`);
  server.closeAllConnections();
}

/** A server cannot listen. The message says why, and which setting to change. */
export class ListenError extends UserError {}

/**
 * Makes a server listen.
 *
 * @param log for connections that cannot be accepted later
 * @param settings the prefix of the settings that an error message names
 * @returns the port, which the system chose if `port` is 0
 * @throws ListenError
 */
export function listen(
  server: Server,
  port: number,
  host: string,
  log: Log,
  settings: '' | 'ADMIN_' = '',
): Promise<number> {
  const logRarely = throttledLogger(log, realSystem, 1, logInterval);
  return new Promise((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (server.listening) return logRarely('A connection could not be accepted.', error);
      explain(error, port, host, settings).then((message) => reject(new ListenError(message)));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

async function explain(
  { code, message }: NodeJS.ErrnoException,
  port: number,
  host: string,
  settings: string,
): Promise<string> {
  const at = `Port ${port} on ${host}`;
  return code === 'EADDRINUSE'
    ? `${at} is in use: stop the process that uses it, or set ${settings}PORT=${await freePort(port, host)}.`
    : `${at} cannot be used: ${message}. Set ${settings}PORT or ${settings}HOST.`;
}

/** The next port where a server can listen; 0, which stands for any of them, after a hundred or the last one. */
function freePort(port: number, host: string, attempts = 100): Promise<number> {
  const next = attempts === 0 ? 0 : (port + 1) % 65_536;
  if (next === 0) return Promise.resolve(0);
  return new Promise((resolve) => {
    const server = new NetServer().once('error', () => resolve(freePort(next, host, attempts - 1)));
    server.listen(next, host, () => server.close(() => resolve(next)));
  });
}

export function originAt(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Milliseconds in which a second signal is the same one: npm forwards what a terminal has sent to all processes. */
const echoTime = 500;

/** Milliseconds between the requests of a busy client, at most. */
const requestGap = 2_000;

/**
 * Calls `stop` on the first SIGTERM or SIGINT. A second one ends the process at once.
 *
 * @param stop gets the grace for idle connections: none if a person at a terminal waits for the end
 */
export function onStopSignal(stop: (grace: number) => void): void {
  let firstAt: number | undefined;

  function onSignal(signal: NodeJS.Signals): void {
    if (firstAt === undefined) {
      firstAt = performance.now();
      stop(signal === 'SIGTERM' ? requestGap : 0);
    } else if (performance.now() - firstAt > echoTime) {
      for (const each of stopSignals) process.removeListener(each, onSignal);
      process.kill(process.pid, signal);
    }
  }

  for (const signal of stopSignals) process.on(signal, onSignal);
}

/** Milliseconds for pending reads and log lines to end by themselves. */
const exitTimeout = 1_000;

/**
 * Ends the process if reads of a hanging disk or a reader of its output that stalls would keep it running. Node waits
 * for its threads, even in `process.exit`. Call it when nothing is left to do.
 */
export function forceExit(): void {
  setTimeout(() => {
    const isReading = process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq'));
    if (isReading) process.kill(process.pid, 'SIGKILL');
    process.exit();
  }, exitTimeout).unref();
}
