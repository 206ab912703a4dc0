/** Health and metrics, on the operator's port. Loaded only with ADMIN_PORT, as is prom-client. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Metric as ClientMetric, collectDefaultMetrics, Registry } from 'prom-client';
import type { Log } from '../log/logger.ts';
import metricHelp from './metrics.json' with { type: 'json' };
import type { MetricName, Metrics, Sample } from './metrics.ts';

/** Bytes of request line and headers together. */
const maxHeaderSize = 4096;
const maxConnections = 50;

/** Milliseconds until a request is complete, and until an idle connection is closed. */
const requestTimeout = 5_000;
const idleTimeout = 60_000;

export interface State {
  phase: 'starting' | 'ready' | 'stopping';
}

interface AdminResponse {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const plainText = { 'Content-Type': 'text/plain; charset=utf-8' };

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
  metrics: MetricRegistry,
  ownHost: string,
  log: Log,
): Server {
  async function respond({ method, url = '', headers }: IncomingMessage): Promise<AdminResponse> {
    const { host = '' } = headers;
    if (!localHost.test(host) && host.replace(/:\d*$/, '') !== ownHost)
      return { status: 421, text: 'Use an IP address, a name without a dot, or ADMIN_HOST.\n' };
    const [path = ''] = url.split('?', 1);
    if (!['/livez', '/readyz', '/metrics'].includes(path))
      return { status: 404, text: 'Paths: /livez, /readyz, /metrics.\n' };
    if (method !== 'GET')
      return { status: 405, text: 'Only GET is allowed.\n', headers: { Allow: 'GET' } };
    if (path === '/metrics') {
      const headers = { 'Content-Type': metrics.contentType };
      return { status: 200, text: await metrics.metrics(), headers };
    }
    const isOk = path === '/livez' || state.phase === 'ready';
    return isOk ? { status: 200, text: 'ok\n' } : { status: 503, text: `${state.phase}\n` };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, text, headers } = await respond(request).catch(
      (error: unknown): AdminResponse => {
        log('The metrics could not be read.', error);
        return { status: 500, text: 'The metrics could not be read.\n' };
      },
    );
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
      headersTimeout: requestTimeout,
      requestTimeout,
      connectionsCheckingInterval: requestTimeout,
      keepAliveTimeout: idleTimeout,
    },
    (request, response) => void handle(request, response),
  );
  server.maxConnections = maxConnections;
  server.setTimeout(idleTimeout);
  return server;
}

/** The registered metrics, and prom-client's own of the process and of Node. */
export class MetricRegistry extends Registry implements Metrics {
  constructor() {
    super();
    collectDefaultMetrics({ register: this });
  }

  add(name: MetricName, read: () => number | undefined | Iterable<Sample>): void {
    const help = metricHelp[name];
    const type = typeOf(name);
    // prom-client calls it for each scrape.
    const get = async () => ({
      name,
      help,
      type,
      values: valuesOf(name, read() ?? []),
    });
    this.registerMetric({ name, get } as unknown as ClientMetric);
  }
}

function typeOf(name: string): 'counter' | 'histogram' | 'gauge' {
  if (name.endsWith('_total')) return 'counter';
  return name.endsWith('_duration_seconds') ? 'histogram' : 'gauge';
}

function valuesOf(name: string, reading: number | Iterable<Sample>) {
  const samples = typeof reading === 'number' ? [{ value: reading }] : reading;
  return Array.from(samples, ({ part = '', labels = {}, value }: Sample) => ({
    metricName: name + part,
    labels,
    value,
  }));
}
