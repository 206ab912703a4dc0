import type { Config } from '../config.ts';
import { type AnyResponse, requestDetails, routeOf } from '../http.ts';
import type { Details, Log } from '../log/logger.ts';
import type { ObservedResponse, RequestObserver } from '../server.ts';
import type { State } from './admin-server.ts';
import { countLogLines, RequestMetrics } from './metrics.ts';
import { adminSettings, listen, type Operations, originAt } from './run.ts';

/**
 * Starts health and metrics where ADMIN_PORT is set. The process is live from then on, and ready as its state says.
 *
 * @throws ListenError
 */
export async function openOperations(config: Config, log: Log): Promise<Operations> {
  const requestLog = config.logLevel === 'debug' ? log : undefined;
  const state: State = { phase: 'starting' };
  if (config.adminPort === undefined) {
    const observer = requestLog && observeRequests(undefined, requestLog);
    return { log, origin: undefined, metrics: undefined, observer, state, close: () => {} };
  }
  const { createAdminServer, MetricRegistry } = await import('./admin-server.ts');
  const metrics = new MetricRegistry();
  const server = createAdminServer(state, metrics, log);
  const { adminPort, adminHost } = config;
  const port = await listen(server, adminPort, adminHost, adminSettings);
  return {
    log: countLogLines(log, metrics),
    origin: originAt(adminHost, port),
    metrics,
    observer: observeRequests(new RequestMetrics(metrics), requestLog),
    state,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Status under which requests are counted whose client disconnected before the response; nginx uses the same. */
const clientGone = 499;

/** @param log undefined: requests are not logged */
function observeRequests(metrics: RequestMetrics | undefined, log: Log | undefined): RequestObserver {
  return {
    started(response) {
      response.startedAt = performance.now();
    },
    ended(response: ObservedResponse) {
      const milliseconds = performance.now() - response.startedAt;
      const status = response.headersSent ? response.statusCode : clientGone;
      metrics?.count(routeOf(response), status, milliseconds / 1000);
      log?.('A request was answered.', undefined, {
        level: 'debug',
        ...requestDetails(response),
        ...targetDetails(response, status),
        status,
        milliseconds: Math.round(milliseconds * 1000) / 1000,
      });
    },
    rejected(status) {
      metrics?.count('malformed', status, undefined);
      log?.('A request was refused.', undefined, { level: 'debug', route: 'malformed', status });
    },
  };
}

/** The parts of the target if it exists. Otherwise they are what the client wrote: a key in the wrong place, say. */
function targetDetails({ locals }: AnyResponse, status: number): Details {
  if (!locals?.target || (status !== 200 && status !== 304)) return {};
  const { kind, ...parts } = locals.target;
  return parts;
}
