/** The metrics of the gateway and the authentication service, by prom-client. Types only, so that nothing loads it. */
import type { Counter, Gauge, Registry } from 'prom-client';
import type { KeyCheck, VerifyKey } from '../access/require-key.ts';
import type { Connections } from '../connection.ts';
import { type AnyResponse, requestDetails, routeOf, routes } from '../http.ts';
import { type Decision, outcomeOf } from '../limits/decision.ts';
import type { SharedLimits } from '../limits/redis.ts';
import type { LimitStore } from '../limits/store.ts';
import { type Details, defaultLevel, type Log } from '../log/logger.ts';
import type { CurrentRelease } from '../release/current-release.ts';
import type { BodyCache } from '../release/send.ts';
import type { RequestObserver } from '../server.ts';

/** prom-client, and the registry of this process. */
export interface Metrics {
  readonly client: typeof import('prom-client');
  readonly registry: Registry;
}

/** Registers a number, or one by value of a label, that is read for each scrape: a counter if its name ends in `_total`. */
function onScrape(
  { client, registry }: Metrics,
  name: string,
  help: string,
  read: () => number | Readonly<Record<string, number>>,
  label = '',
): void {
  const labelNames = label === '' ? [] : [label];
  function collect(this: Counter | Gauge): void {
    const value = read();
    this.reset();
    if (typeof value === 'number') this.inc(value);
    else for (const [of, count] of Object.entries(value)) this.inc({ [label]: of }, count);
  }
  const options = { name, help, registers: [registry], labelNames, collect };
  if (name.endsWith('_total')) new client.Counter(options);
  else new client.Gauge(options);
}

/** Seconds. A response from memory takes less than the first; clients have given up before the last. */
const requestBounds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Shown from the start, so that the first one is an increase. */
const serverErrors = [500, 502, 503];

/** Status under which requests are counted whose client disconnected before the response; nginx uses the same. */
const clientGone = 499;

/** Status under which a 503 is counted whose cause is a full queue, and no fault. */
const queueFull = 529;

/**
 * Counts and logs requests.
 *
 * @param metrics undefined: requests are not counted
 * @param log undefined: requests are not logged
 */
export function observeRequests(
  metrics: Metrics | undefined,
  log: Log | undefined,
): RequestObserver {
  const registers = metrics && { registers: [metrics.registry] };
  const counts =
    metrics &&
    new metrics.client.Counter({
      name: 'pastpaper_http_requests_total',
      help: 'Requests by route and response status.',
      labelNames: ['route', 'status'],
      ...registers,
    });
  const durations =
    metrics &&
    new metrics.client.Histogram({
      name: 'pastpaper_http_request_duration_seconds',
      help: 'Time from the request header to the end of the response.',
      labelNames: ['route'],
      buckets: requestBounds,
      ...registers,
    });
  for (const route of routes) {
    durations?.zero({ route });
    for (const status of serverErrors) counts?.inc({ route, status }, 0);
  }
  return {
    ended(response) {
      const milliseconds = performance.now() - (response.locals?.startedAt ?? 0);
      const sent = response.locals?.['isBusy'] === true ? queueFull : response.statusCode;
      const status = response.headersSent ? sent : clientGone;
      const route = routeOf(response);
      counts?.inc({ route, status });
      durations?.observe({ route }, milliseconds / 1000);
      log?.('Request completed.', undefined, {
        level: 'debug',
        ...requestDetails(response),
        ...targetDetails(response, status),
        status,
        milliseconds: Math.round(milliseconds * 1000) / 1000,
      });
    },
    rejected(status) {
      counts?.inc({ route: 'malformed', status });
      log?.('Request rejected.', undefined, { level: 'debug', route: 'malformed', status });
    },
  };
}

/** The parts of the target if it exists. Otherwise they are what the client wrote: a key in the wrong place, say. */
function targetDetails({ locals }: AnyResponse, status: number): Details {
  if (!locals?.target || (status !== 200 && status !== 304)) return {};
  const { kind, ...parts } = locals.target;
  return parts;
}

/** Seconds: from a local database over a remote service to its timeout. */
const lookupBounds = [
  0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3,
];

/**
 * Counts the results of key checks, and how long those took that were not cached.
 *
 * @returns the same check, counted if there are metrics
 */
export function countKeyChecks(verifyKey: VerifyKey, metrics: Metrics | undefined): VerifyKey {
  if (!metrics) return verifyKey;
  const registers = [metrics.registry];
  const checks = new metrics.client.Counter({
    name: 'pastpaper_key_checks_total',
    help: 'Key checks by outcome and source (known: cached; asked: database or service).',
    labelNames: ['outcome', 'source'],
    registers,
  });
  const durations = new metrics.client.Histogram({
    name: 'pastpaper_key_lookup_duration_seconds',
    help: 'Time of key checks in the database or at the service.',
    buckets: lookupBounds,
    registers,
  });
  for (const outcome of ['valid', 'unknown', 'expired', 'revoked', 'unavailable'])
    for (const source of ['known', 'asked']) checks.inc({ outcome, source }, 0);

  async function timed(checking: Promise<KeyCheck>): Promise<KeyCheck> {
    const end = durations.startTimer();
    const check = await checking;
    end();
    checks.inc({ outcome: check.state, source: 'asked' });
    return check;
  }

  return (token) => {
    const check = verifyKey(token);
    if (check instanceof Promise) return timed(check);
    checks.inc({ outcome: check.state, source: 'known' });
    return check;
  };
}

/** Counts requests rejected by a limit. @returns the same limits, counted, and what counts failed keys */
export function countRejections(limits: LimitStore, metrics: Metrics | undefined) {
  if (!metrics) return { limits };
  const hits = { rate: 0, quota: 0, 'failed-keys': 0 };
  onScrape(
    metrics,
    'pastpaper_limits_hit_total',
    'Rejected requests by limit.',
    () => hits,
    'limit',
  );

  function count(decision: Decision): Decision {
    const outcome = outcomeOf(decision);
    if (outcome !== 'used') hits[outcome === 'rejectedByRate' ? 'rate' : 'quota'] += 1;
    return decision;
  }

  const counted: LimitStore = {
    take(account, plan, key) {
      const decision = limits.take(account, plan, key);
      return decision instanceof Promise ? decision.then(count) : count(decision);
    },
  };
  return {
    limits: counted,
    onFailedKey: () => {
      hits['failed-keys'] += 1;
    },
  };
}

/** Counts log lines of errors and warnings. @returns the same log, counted */
export function countLogLines(log: Log, metrics: Metrics): Log {
  const lines = { error: 0, warn: 0, info: 0, debug: 0 };
  onScrape(
    metrics,
    'pastpaper_log_lines_total',
    'Warnings and errors by level, including those that LOG_LEVEL suppresses.',
    () => ({ error: lines.error, warn: lines.warn }),
    'level',
  );
  return (message, error, details) => {
    lines[details?.level ?? defaultLevel(error)] += 1;
    log(message, error, details);
  };
}

/** Whether limits are shared with other gateways, and how often they could not be. */
export function registerLimitMetrics(limits: SharedLimits, metrics: Metrics): void {
  onScrape(
    metrics,
    'pastpaper_limits_shared',
    '1 while limits are decided in Redis, 0 while this gateway decides by itself.',
    () => Number(limits.isShared),
  );
  onScrape(
    metrics,
    'pastpaper_limits_decided_alone_total',
    'Requests that this gateway decided by itself because Redis was unavailable.',
    () => limits.decidedAlone,
  );
}

/** What both processes report. */
interface Reported {
  readonly connections: Connections;
  /** Undefined: the authentication service serves no release. */
  readonly bodies?: BodyCache;
  readonly releases?: CurrentRelease;
}

export function registerMetrics(
  { connections, bodies, releases }: Reported,
  metrics: Metrics,
): void {
  const add = (name: string, help: string, read: Parameters<typeof onScrape>[3], label?: string) =>
    onScrape(metrics, `pastpaper_${name}`, help, read, label);
  add('http_connections', 'Open connections.', () => connections.size);
  add('http_requests_under_way', 'Pending requests.', () => connections.pending);
  if (!bodies || !releases) return;
  add(
    'body_cache_requests_total',
    'Requests for bodies by result: hit, miss (read from disk), streamed (too large to cache).',
    () => ({ ...bodies.requests }),
    'result',
  );
  add(
    'damaged_bodies_total',
    'Reads of bodies that are damaged on disk. They are not sent.',
    () => bodies.damaged,
  );
  add('body_cache_bytes', 'Size of cached bodies.', () => bodies.bytes);
  add('body_cache_limit_bytes', 'Maximum size of cached bodies.', () => bodies.bound);
  add(
    'release_info',
    'Id of the release that is served.',
    () => ({ [releases.current.id]: 1 }),
    'release',
  );
  add(
    'release_published_timestamp_seconds',
    'Time at which the release that is served was published.',
    () => (releases.publishedAt ?? Number.NaN) / 1000,
  );
  add(
    'release_refused',
    '1 while the current release is damaged, so that another one is served.',
    () => Number(releases.problem !== undefined),
  );
}
