/** Health and metrics, on the operator's port. Loaded only with ADMIN_PORT, as is prom-client. */
import { createServer, type Server } from 'node:http';
import express from 'express';
import * as client from 'prom-client';
import type { Log } from '../log/logger.ts';
import type { Metrics } from './metrics.ts';

/** Connections, and milliseconds until a request is complete and until an idle connection is closed. */
const maxConnections = 50;
const requestTimeout = 5_000;
const idleTimeout = 60_000;

export interface State {
  phase: 'starting' | 'ready' | 'stopping';
}

/** Opens a registry with prom-client's own metrics of the process and of Node. */
export function openMetrics(): Metrics {
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  return { client, registry };
}

/** An IP address, or a name without a dot: a web site, whose name may lead here (DNS rebinding), has another host. */
const localHost = /^([^.]*|[\d.]+|\[.*\])(:\d*)?$/;

/**
 * Serves `/livez` (the event loop runs), `/readyz` (the process should be sent requests) and `/metrics` (for
 * Prometheus).
 *
 * @param ownHost the host of ADMIN_HOST
 */
export function createAdminServer(
  state: State,
  { registry }: Metrics,
  ownHost: string,
  log: Log,
): Server {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('strict routing');
  app.use(({ headers: { host = '' } }, response, next) => {
    response.set('Cache-Control', 'no-store').type('text/plain');
    if (localHost.test(host) || host.replace(/:\d*$/, '') === ownHost) next();
    else response.status(421).send('Use an IP address, a name without a dot, or ADMIN_HOST.\n');
  });
  app.get('/livez', (_request, response) => void response.send('ok\n'));
  app.get('/readyz', (_request, response) => {
    const isReady = state.phase === 'ready';
    response.status(isReady ? 200 : 503).send(isReady ? 'ok\n' : `${state.phase}\n`);
  });
  app.get('/metrics', async (_request, response) => {
    const text = await registry.metrics().catch((error: unknown) => {
      log('The metrics could not be read.', error);
    });
    if (text === undefined) response.status(500).send('The metrics could not be read.\n');
    else response.type(registry.contentType).send(text);
  });
  app.use((_request, response) => {
    response.status(404).send('Paths of GET: /livez, /readyz, /metrics.\n');
  });
  const server = createServer(
    {
      maxHeaderSize: 4096,
      headersTimeout: requestTimeout,
      requestTimeout,
      connectionsCheckingInterval: requestTimeout,
      keepAliveTimeout: idleTimeout,
    },
    app,
  );
  server.maxConnections = maxConnections;
  server.setTimeout(idleTimeout);
  return server;
}
