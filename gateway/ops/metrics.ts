/** The metrics of the gateway and the authentication service, for Prometheus. */
import type { FailedKeys } from '../access/failed-keys.ts';
import type { Connections } from '../connection.ts';
import { type AnyResponse, type Route, requestDetails, routeOf, routes } from '../http.ts';
import type { KeyCheck, VerifyKey } from '../key-check.ts';
import { type Decision, outcomeOf } from '../limits/decision.ts';
import type { SharedState } from '../limits/redis/shared-limits.ts';
import type { LimitStore } from '../limits/store.ts';
import { type Details, defaultLevel, type Level, type Log } from '../log/logger.ts';
import type { BodyCache } from '../release/body-cache.ts';
import type { CurrentRelease } from '../release/current-release.ts';
import type { ObservedResponse, RequestObserver } from '../server.ts';
import type metricHelp from './metrics.json';

export interface Sample {
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** Follows the name of a histogram: `_bucket`, `_sum` or `_count`. */
  readonly part?: string;
}

/** The texts in `metrics.json` say what a metric shows. Its name decides its type, by Prometheus's conventions. */
export type MetricName = keyof typeof metricHelp;

/** Where metrics are registered. */
export interface Metrics {
  /** @param read the metric when Prometheus asks for it: a number, or samples with labels; undefined: there is none */
  add(name: MetricName, read: () => number | undefined | Iterable<Sample>): void;
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
      yield {
        part: '_bucket',
        labels: { ...labels, le: this.#bounds[index] ?? '+Inf' },
        value: count,
      };
    }
    yield { part: '_sum', labels, value: this.#sum };
    yield { part: '_count', labels, value: count };
  }
}

/** Seconds. A response from memory takes less than the first; clients have given up before the last. */
const requestBounds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Shown from the start, so that the first one is an increase. */
const serverErrors: readonly number[] = [500, 502, 503];

/** Counts requests and their durations, in plain arrays that need no look-up by label. */
function countRequests(metrics: Metrics): (route: Route, status: number, seconds?: number) => void {
  const counts = byRoute(() => new Float64Array(600));
  const durations = byRoute(() => new Histogram(requestBounds));
  metrics.add('pastpaper_http_requests_total', () =>
    routes.flatMap((route) =>
      Array.from(counts[route], (value, status) => ({ labels: { route, status }, value })).filter(
        ({ labels: { status }, value }) => value > 0 || serverErrors.includes(status),
      ),
    ),
  );
  metrics.add('pastpaper_http_request_duration_seconds', () =>
    routes.flatMap((route) => [...durations[route].samples({ route })]),
  );
  return (route, status, seconds) => {
    const ofRoute = counts[route];
    ofRoute[status] = (ofRoute[status] ?? 0) + 1;
    if (seconds !== undefined) durations[route].observe(seconds);
  };
}

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
  const count = metrics && countRequests(metrics);
  return {
    started(response) {
      response.startedAt = performance.now();
    },
    ended(response: ObservedResponse) {
      const milliseconds = performance.now() - response.startedAt;
      const sent = response.locals?.['isBusy'] === true ? queueFull : response.statusCode;
      const status = response.headersSent ? sent : clientGone;
      count?.(routeOf(response), status, milliseconds / 1000);
      log?.('Request completed.', undefined, {
        level: 'debug',
        ...requestDetails(response),
        ...targetDetails(response, status),
        status,
        milliseconds: Math.round(milliseconds * 1000) / 1000,
      });
    },
    rejected(status) {
      count?.('malformed', status);
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

function byRoute<Value>(create: () => Value): Record<Route, Value> {
  return Object.fromEntries(routes.map((route) => [route, create()])) as Record<Route, Value>;
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
  const cached = { valid: 0, unknown: 0, expired: 0, revoked: 0, unavailable: 0 };
  const asked: Record<KeyCheck['state'], number> = { ...cached };
  const durations = new Histogram(lookupBounds);
  metrics.add('pastpaper_key_checks_total', () => [
    ...byLabel('outcome', cached, { source: 'known' }),
    ...byLabel('outcome', asked, { source: 'asked' }),
  ]);
  metrics.add('pastpaper_key_lookup_duration_seconds', () => durations.samples());

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
 * @returns the same store, counted if there are metrics
 */
export function countRejections(
  store: LimitStore,
  failedKeys: Pick<FailedKeys, 'limited'>,
  metrics: Metrics | undefined,
): LimitStore {
  if (!metrics) return store;
  const counts = { used: 0, rejectedByRate: 0, rejectedByQuota: 0 };
  metrics.add('pastpaper_limits_hit_total', () =>
    byLabel('limit', {
      rate: counts.rejectedByRate,
      quota: counts.rejectedByQuota,
      'failed-keys': failedKeys.limited,
    }),
  );

  function count(decision: Decision): Decision {
    counts[outcomeOf(decision)] += 1;
    return decision;
  }

  return {
    take(account, plan, key) {
      const decision = store.take(account, plan, key);
      return decision instanceof Promise ? decision.then(count) : count(decision);
    },
    close: () => store.close(),
  };
}

/** Counts log lines of errors and warnings. @returns the same log, counted */
export function countLogLines(log: Log, metrics: Metrics): Log {
  const lines: Record<Level, number> = { error: 0, warn: 0, info: 0, debug: 0 };
  metrics.add('pastpaper_log_lines_total', () =>
    byLabel('level', { error: lines.error, warn: lines.warn }),
  );
  return (message, error, details) => {
    lines[details?.level ?? defaultLevel(error)] += 1;
    log(message, error, details);
  };
}

/** Whether limits are shared with other replicas, and how often they could not be. */
export function registerLimitMetrics(limits: SharedState, metrics: Metrics): void {
  metrics.add('pastpaper_limits_shared', () => Number(limits.isShared));
  metrics.add('pastpaper_limits_decided_alone_total', () => limits.decidedAlone);
}

/** What both processes report. */
interface Reported {
  readonly connections: Connections;
  readonly bodies: BodyCache;
  /** Undefined: the authentication service has no release. */
  readonly releases: CurrentRelease | undefined;
}

export function registerMetrics(
  { connections, bodies, releases }: Reported,
  metrics: Metrics,
): void {
  metrics.add('pastpaper_http_connections', () => connections.size);
  metrics.add('pastpaper_http_requests_under_way', () => connections.pending);
  metrics.add('pastpaper_body_cache_requests_total', () => byLabel('result', bodies.requests));
  metrics.add('pastpaper_damaged_bodies_total', () => bodies.damaged);
  metrics.add('pastpaper_body_cache_bytes', () => bodies.bytes);
  metrics.add('pastpaper_body_cache_limit_bytes', () => bodies.bound);
  if (releases) registerReleaseMetrics(releases, metrics);
}

export function registerReleaseMetrics(releases: CurrentRelease, metrics: Metrics): void {
  metrics.add('pastpaper_release_info', () => [
    { labels: { release: releases.current.id }, value: 1 },
  ]);
  metrics.add('pastpaper_release_published_timestamp_seconds', () => {
    const { publishedAt } = releases;
    return publishedAt && publishedAt / 1000;
  });
  metrics.add('pastpaper_release_refused', () => Number(releases.isRejecting));
}

/** One sample per entry: its name is the value of `label`. */
function byLabel(
  label: string,
  counts: Readonly<Record<string, number>>,
  more?: Readonly<Record<string, string>>,
): Sample[] {
  return Object.entries(counts).map(([name, value]) => ({
    labels: { [label]: name, ...more },
    value,
  }));
}
