import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Log } from '../log/log.ts';
import type { MetricRegistry } from './metrics/registry.ts';

/** Bytes of request line and headers together, and connections at a time: scrapers and probes need no more. */
const maxHeaderSize = 4096;
const mostConnections = 50;

/** Milliseconds for a request to arrive, and for which a connection may be idle. */
const arrivalTime = 5_000;
const idleTime = 60_000;

/** How a process stands to requests. */
export interface State {
  phase: 'starting' | 'ready' | 'stopping';
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const plainText = { 'Content-Type': 'text/plain; charset=utf-8' };

/**
 * Answers on the operator's port, with GET alone: `/livez` while the event loop turns, `/readyz` while the process is to
 * be sent requests, `/metrics` for Prometheus.
 */
export function createAdminServer(state: State, metrics: MetricRegistry, log: Log): Server {
  async function answerTo({ method, url = '' }: IncomingMessage): Promise<Answer> {
    const path = url.split('?', 1)[0];
    if (path !== '/livez' && path !== '/readyz' && path !== '/metrics') {
      return { status: 404, text: 'There are /livez, /readyz and /metrics.\n' };
    }
    if (method !== 'GET') return { status: 405, text: 'Only GET is allowed.\n', headers: { Allow: 'GET' } };
    switch (path) {
      case '/livez':
        return { status: 200, text: 'ok\n' };
      case '/readyz':
        return state.phase === 'ready'
          ? { status: 200, text: 'ok\n' }
          : { status: 503, text: `${state.phase}\n` };
      case '/metrics':
        return {
          status: 200,
          text: await metrics.text(),
          headers: { 'Content-Type': metrics.mediaType },
        };
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, text, headers } = await answerTo(request).catch((error: unknown): Answer => {
      log('The metrics could not be read.', error);
      return { status: 500, text: 'The metrics could not be read.\n' };
    });
    response.writeHead(status, {
      ...plainText,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      ...headers,
    });
    response.end(text);
  }

  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout: arrivalTime,
      requestTimeout: arrivalTime,
      connectionsCheckingInterval: arrivalTime,
      keepAliveTimeout: idleTime,
    },
    (request, response) => void answer(request, response),
  );
  server.maxConnections = mostConnections;
  server.setTimeout(idleTime);
  return server;
}
