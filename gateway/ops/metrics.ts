/**
 * The metrics of the gateway and the authentication service, for Prometheus: `register...Metrics` exposes numbers that others
 * count, `count...` wraps a function to count its results, and `RequestMetrics` is notified of every request.
 */
import type { FailedKeys } from '../access/failed-keys.ts';
import type { Connections } from '../connection.ts';
import { type AnyResponse, type Route, requestDetails, routeOf, routes } from '../http.ts';
import type { KeyCheck, VerifyKey } from '../key-check.ts';
import type { Decision } from '../limits/decision.ts';
import type { SharedLimits } from '../limits/redis/shared-limits.ts';
import type { LimitStore } from '../limits/store.ts';
import { type Details, defaultLevel, type Level, type Log } from '../log/logger.ts';
import type { BodyCache } from '../release/body-cache.ts';
import type { CurrentRelease } from '../release/current-release.ts';
import type { ObservedResponse, RequestObserver } from '../server.ts';

/** A metric whose samples are computed when Prometheus asks for them. */
export interface Metric {
  readonly name: string;
  /** A sentence. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  read(): Iterable<Sample>;
}

interface Sample {
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** Follows the name of a histogram: `_bucket`, `_sum` or `_count`. */
  readonly part?: string;
}

/** Where metrics are registered. */
export interface Metrics {
  add(metric: Metric): void;
}

/** Counts durations in buckets. A class of our own, because prom-client's takes a microsecond per request. */
class Histogram {
  readonly #bounds: readonly number[];
  /** Of each bucket alone; the last one has no bound. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** @param bounds of the buckets, inclusive: seconds, ascending */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(seconds: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** In Prometheus's form, in which each bucket includes those before it. */
  *samples(labels: Readonly<Record<string, string>> = {}): Generator<Sample> {
    let count = 0;
    for (const [index, own] of this.#counts.entries()) {
      count += own;
      yield { part: '_bucket', labels: { ...labels, le: this.#bounds[index] ?? '+Inf' }, value: count };
    }
    yield { part: '_sum', labels, value: this.#sum };
    yield { part: '_count', labels, value: count };
  }
}

/** Seconds. A response from memory takes less than the first; clients have given up before the last. */
const requestBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Shown from the start, so that the first one is an increase. */
const serverErrors: readonly number[] = [500, 502, 503];

/** Requests by route and status, and their durations, in plain arrays that need no look-up by label. */
export class RequestMetrics {
  readonly #counts = byRoute(() => new Float64Array(600));
  readonly #durations = byRoute(() => new Histogram(requestBounds));

  constructor(metrics: Metrics) {
    metrics.add({
      name: 'pastpaper_http_requests_total',
      help: 'Requests by the kind of what they asked for and the status of their answer.',
      type: 'counter',
      read: () => this.#readCounts(),
    });
    metrics.add({
      name: 'pastpaper_http_request_duration_seconds',
      help: 'Time from the header of a request to the end of its answer.',
      type: 'histogram',
      read: () => routes.flatMap((route) => [...this.#durations[route].samples({ route })]),
    });
  }

  /** @param seconds undefined: the duration is unknown */
  count(route: Route, status: number, seconds: number | undefined): void {
    const counts = this.#counts[route];
    counts[status] = (counts[status] ?? 0) + 1;
    if (seconds !== undefined) this.#durations[route].observe(seconds);
  }

  *#readCounts(): Generator<Sample> {
    for (const route of routes) {
      for (const [status, value] of this.#counts[route].entries()) {
        if (value > 0 || serverErrors.includes(status)) yield { labels: { route, status }, value };
      }
    }
  }
}

/** Status under which requests are counted whose client disconnected before the response; nginx uses the same. */
const clientGone = 499;

/**
 * Counts and logs requests.
 *
 * @param metrics undefined: requests are not counted
 * @param log undefined: requests are not logged
 */
export function observeRequests(metrics: RequestMetrics | undefined, log: Log | undefined): RequestObserver {
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

function byRoute<Value>(create: () => Value): Record<Route, Value> {
  return Object.fromEntries(routes.map((route) => [route, create()])) as Record<Route, Value>;
}

/** Seconds: from a local database over a remote service to its timeout. */
const lookupBounds = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];

/**
 * Counts the results of key checks, and how long those took that were not cached.
 *
 * @returns the same check, counted
 */
export function countKeyChecks(verifyKey: VerifyKey, metrics: Metrics): VerifyKey {
  const cached = { valid: 0, unknown: 0, expired: 0, revoked: 0, unavailable: 0 };
  const asked: Record<KeyCheck['state'], number> = { ...cached };
  const durations = new Histogram(lookupBounds);
  metrics.add({
    name: 'pastpaper_key_checks_total',
    help: 'Checks of keys by how they ended, and whether the answer was known or the keys were asked.',
    type: 'counter',
    read: () => [
      ...byLabel(cached, (outcome) => ({ outcome, source: 'known' })),
      ...byLabel(asked, (outcome) => ({ outcome, source: 'asked' })),
    ],
  });
  metrics.add({
    name: 'pastpaper_key_lookup_duration_seconds',
    help: 'Time that checks took for which the keys were asked, in the database or at the service.',
    type: 'histogram',
    read: () => durations.samples(),
  });

  async function timed(checking: Promise<KeyCheck>): Promise<KeyCheck> {
    const start = performance.now();
    const check = await checking;
    durations.observe((performance.now() - start) / 1000);
    asked[check.state] += 1;
    return check;
  }

  return (token, digest) => {
    const check = verifyKey(token, digest);
    if (check instanceof Promise) return timed(check);
    cached[check.state] += 1;
    return check;
  };
}

/**
 * Counts requests rejected by a limit.
 *
 * @param failedKeys counts those of its own limit itself
 * @returns the same store, counted
 */
export function countRejections(
  store: LimitStore,
  failedKeys: Pick<FailedKeys, 'limited'>,
  metrics: Metrics,
): LimitStore {
  const rejected = { rate: 0, quota: 0 };
  metrics.add({
    name: 'pastpaper_limits_hit_total',
    help: 'Requests that were refused, by the limit that was spent; where both were, by the quota; failed-keys is that of an address.',
    type: 'counter',
    read: () => byLabel({ ...rejected, 'failed-keys': failedKeys.limited }, (limit) => ({ limit })),
  });

  function count(decision: Decision): Decision {
    if (!decision.accepted) rejected[decision.quota.remaining === 0 ? 'quota' : 'rate'] += 1;
    return decision;
  }

  return {
    take(account, plan) {
      const decision = store.take(account, plan);
      return decision instanceof Promise ? decision.then(count) : count(decision);
    },
    close: () => store.close(),
  };
}

/**
 * Counts log lines of errors and warnings.
 *
 * @returns the same log, counted
 */
export function countLogLines(log: Log, metrics: Metrics): Log {
  const lines: Record<Level, number> = { error: 0, warn: 0, info: 0, debug: 0 };
  metrics.add({
    name: 'pastpaper_log_lines_total',
    help: 'Warnings and errors for the log, by level, including those that LOG_LEVEL suppresses.',
    type: 'counter',
    read: () => byLabel({ error: lines.error, warn: lines.warn }, (level) => ({ level })),
  });
  return (message, error, details) => {
    lines[details?.level ?? defaultLevel(error)] += 1;
    log(message, error, details);
  };
}

/** Whether limits are shared with other replicas, and how often they could not be. */
export function registerLimitMetrics(
  limits: Pick<SharedLimits, 'isShared' | 'decidedAlone'>,
  metrics: Metrics,
): void {
  metrics.add({
    name: 'pastpaper_limits_shared',
    help: 'Whether limits are decided in Redis (1), or by this replica alone because Redis is away (0).',
    type: 'gauge',
    read: () => [{ value: limits.isShared ? 1 : 0 }],
  });
  metrics.add({
    name: 'pastpaper_limits_decided_alone_total',
    help: 'Requests that this replica has decided on by itself, because Redis was away.',
    type: 'counter',
    read: () => [{ value: limits.decidedAlone }],
  });
}

export function registerCacheMetrics(bodies: BodyCache, metrics: Metrics): void {
  metrics.add({
    name: 'pastpaper_body_cache_requests_total',
    help: 'Bodies that were asked for: found in memory, read from disk, or too large to be kept.',
    type: 'counter',
    read: () => byLabel(bodies.requests, (result) => ({ result })),
  });
  metrics.add({
    name: 'pastpaper_body_cache_bytes',
    help: 'Bytes that bodies in memory take.',
    type: 'gauge',
    read: () => [{ value: bodies.bytes }],
  });
  metrics.add({
    name: 'pastpaper_body_cache_limit_bytes',
    help: 'Bytes that bodies in memory may take.',
    type: 'gauge',
    read: () => [{ value: bodies.bound }],
  });
}

export function registerConnectionMetrics(connections: Connections, metrics: Metrics): void {
  metrics.add({
    name: 'pastpaper_http_connections',
    help: 'Open connections by which requests have come.',
    type: 'gauge',
    read: () => [{ value: connections.size }],
  });
  metrics.add({
    name: 'pastpaper_http_requests_under_way',
    help: 'Requests that have come and are not answered yet.',
    type: 'gauge',
    read: () => [{ value: connections.pending }],
  });
}

export function registerReleaseMetrics(releases: CurrentRelease, metrics: Metrics): void {
  metrics.add({
    name: 'pastpaper_release_info',
    help: 'The release that is served, by its id.',
    type: 'gauge',
    read: () => [{ labels: { release: releases.current.id }, value: 1 }],
  });
  metrics.add({
    name: 'pastpaper_release_published_timestamp_seconds',
    help: 'When the release that is served was published: its age is the time since.',
    type: 'gauge',
    read: () => (releases.publishedAt === undefined ? [] : [{ value: releases.publishedAt / 1000 }]),
  });
  metrics.add({
    name: 'pastpaper_release_refused',
    help: 'Whether a newer release is there that cannot be served (1) or not (0).',
    type: 'gauge',
    read: () => [{ value: releases.isRejecting ? 1 : 0 }],
  });
}

/** One sample per entry. */
function byLabel(
  counts: Readonly<Record<string, number>>,
  labelsOf: (name: string) => Readonly<Record<string, string>>,
): Sample[] {
  return Object.entries(counts).map(([name, value]) => ({ labels: labelsOf(name), value }));
}
