import { type Route, routes } from '../route.ts';
import { Histogram } from './histogram.ts';
import type { Metrics, Sample } from './metric.ts';

/** Seconds. An answer from memory takes less than the first; what takes longer than the last is no use to anyone. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The statuses there are (RFC 9110, 15). */
const firstStatus = 100;
const statuses = 500;

/** Told from the start, so that the first fault is an increase. */
const faults: readonly number[] = [500, 502, 503];

/** Requests by kind of target and status, and how long they took: plain numbers, which nothing is looked up for. */
export class RequestCounts {
  readonly #answered = Object.fromEntries(
    routes.map((route) => [route, new Float64Array(statuses)]),
  ) as Record<Route, Float64Array>;
  readonly #durations = Object.fromEntries(routes.map((route) => [route, new Histogram(bounds)])) as Record<
    Route,
    Histogram
  >;

  constructor(metrics: Metrics) {
    metrics.add({
      name: 'pastpaper_http_requests_total',
      help: 'Requests by the kind of what they asked for and the status of their answer.',
      type: 'counter',
      read: () => this.#readAnswered(),
    });
    metrics.add({
      name: 'pastpaper_http_request_duration_seconds',
      help: 'Time from the header of a request to the end of its answer.',
      type: 'histogram',
      read: () => routes.flatMap((route) => [...this.#durations[route].samples({ route })]),
    });
  }

  /** @param seconds that it took */
  count(route: Route, status: number, seconds: number): void {
    this.countRefused(route, status);
    this.#durations[route].count(seconds);
  }

  /** Counts what took no time that could be told. */
  countRefused(route: Route, status: number): void {
    const answered = this.#answered[route];
    answered[status - firstStatus] = (answered[status - firstStatus] ?? 0) + 1;
  }

  *#readAnswered(): Generator<Sample> {
    for (const route of routes) {
      for (const [index, value] of this.#answered[route].entries()) {
        const status = index + firstStatus;
        if (value > 0 || faults.includes(status)) yield { labels: { route, status }, value };
      }
    }
  }
}
