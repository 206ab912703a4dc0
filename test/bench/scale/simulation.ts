/**
 * Discrete-event simulation of requests that pass through single-threaded processes, each on a core of its own. Pure: the
 * same arguments give the same result. Times are in seconds.
 */
import { quantile, sum } from '../figures.ts';

/** A visit of a request to a process. */
export interface Step {
  /** The index of the process. */
  readonly process: number;
  /** The mean processor time. */
  readonly cost: number;
  /** The time that the request is on its way there. */
  readonly delay?: number;
}

/** Requests with the same steps. They start independently of each other (Poisson), at a mean rate per second. */
export interface Load {
  readonly steps: readonly Step[];
  readonly rate: number;
}

/** The seconds from start to completion. */
export interface Latency {
  readonly mean: number;
  readonly median: number;
  readonly p99: number;
}

/** Requests of the first tenth are not measured: the queues are still empty. */
const warmUpShare = 0.1;

/**
 * Simulates loads. Each process takes its requests in the order of arrival.
 *
 * @param costs how processor times are distributed around their mean
 * @returns the latency of each load
 */
export function simulate(
  loads: readonly Load[],
  seconds: number,
  costs: 'constant' | 'exponential' = 'constant',
): Latency[] {
  const random = randomNumbers();
  const exponential = () => -Math.log1p(-random());
  /** When each process has completed what has arrived so far. */
  const freeAt: number[] = [];
  // The next event is the last one. There are few at a time, so a sorted array is enough.
  const events: { readonly at: number; readonly run: () => void }[] = [];
  const schedule = (at: number, run: () => void) =>
    events.splice(events.findLastIndex((event) => event.at > at) + 1, 0, { at, run });

  const measured = loads.map(({ steps, rate }) => {
    const latencies: number[] = [];
    const visit = (index: number, start: number, now: number) => {
      const step = steps[index];
      if (!step) {
        if (start >= seconds * warmUpShare) latencies.push(now - start);
        return;
      }
      const { process, cost } = step;
      const end = Math.max(now, freeAt[process] ?? 0) + cost * (costs === 'constant' ? 1 : exponential());
      freeAt[process] = end;
      const next = end + (steps[index + 1]?.delay ?? 0);
      schedule(next, () => visit(index + 1, start, next));
    };
    const start = (now: number) => {
      const next = now + exponential() / rate;
      schedule(next, () => start(next));
      visit(0, now, now);
    };
    start(0);
    return latencies;
  });
  for (let event = events.pop(); event && event.at < seconds; event = events.pop()) event.run();
  return measured.map((latencies) => ({
    mean: sum(latencies) / latencies.length,
    median: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }));
}

/** The same numbers from 0 to 1 in each simulation: mulberry32. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
