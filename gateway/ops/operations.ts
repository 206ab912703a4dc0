import type { Config } from '../config.ts';
import type { Log } from '../log/log.ts';
import type { State } from './admin-server.ts';
import { adminSettings, listen, originAt } from './listen.ts';
import { countLines } from './metrics/log-lines.ts';
import type { Metrics } from './metrics/metric.ts';
import { RequestCounts } from './metrics/request-counts.ts';
import { RequestWatch } from './request-watch.ts';

/** What tells the operator of a process. */
export interface Operations {
  readonly log: Log;
  /** Where health and metrics are; undefined: they are not served. */
  readonly origin: string | undefined;
  /** Where to name what can be counted; undefined: nothing is. */
  readonly metrics: Metrics | undefined;
  /** Undefined: requests are not watched. */
  readonly watch: RequestWatch | undefined;
  readonly state: State;
  /** Ends health and metrics. */
  close(): void;
}

/**
 * Opens what tells the operator of a process. From here on it is live; ready it is when its state says so.
 *
 * @throws ListenError
 */
export async function openOperations(config: Config, log: Log): Promise<Operations> {
  const requestLog = config.logLevel === 'debug' ? log : undefined;
  const state: State = { phase: 'starting' };
  if (config.adminPort === undefined) {
    const watch = requestLog && new RequestWatch(undefined, requestLog);
    return { log, origin: undefined, metrics: undefined, watch, state, close: () => {} };
  }
  // What counts and what tells of it is loaded where it is asked for.
  const [{ MetricRegistry }, { createAdminServer }] = await Promise.all([
    import('./metrics/registry.ts'),
    import('./admin-server.ts'),
  ]);
  const metrics = new MetricRegistry();
  const server = createAdminServer(state, metrics, log);
  const { adminPort, adminHost } = config;
  const port = await listen(server, adminPort, adminHost, adminSettings);
  return {
    log: countLines(log, metrics),
    origin: originAt(adminHost, port),
    metrics,
    watch: new RequestWatch(new RequestCounts(metrics), requestLog),
    state,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Starts what a process is for. What does not start leaves nothing behind that tells of it.
 *
 * @throws what `start` throws
 */
export async function startWith<Started>(
  operations: Operations,
  start: (operations: Operations) => Promise<Started>,
): Promise<Started> {
  try {
    return await start(operations);
  } catch (error) {
    operations.close();
    throw error;
  }
}
