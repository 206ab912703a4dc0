/**
 * Discrete-event simulation of requests that pass through single-threaded processes, which share the cores of machines.
 * Pure: the same arguments give the same result. Times are in seconds.
 */
import { Random } from '../../long/fuzz/random.ts';
import { inOrder, quantile } from '../figures.ts';

/** A process with one thread and a queue, in the order of arrival. */
export interface SimulatedProcess {
  /** The cores that it may run on. */
  readonly cores: readonly number[];
}

/** A visit of a request to a process. */
export interface Step {
  /** The index of the process. */
  readonly process: number;
  /** The mean processor time. */
  readonly cost: number;
  /** The time that the request is on its way there. */
  readonly delay?: number;
}

/** Requests with the same steps: on connections that send the next one after each response, or at a mean rate (Poisson). */
export type Load = { readonly steps: readonly Step[] } & (
  | { readonly connections: number }
  | { readonly rate: number }
);

export interface Simulated {
  readonly processes: readonly SimulatedProcess[];
  readonly loads: readonly Load[];
  readonly seconds: number;
  /** The speed of a core: 1 unless other programs use a share of it. */
  readonly speed?: number;
  /** How processor times are distributed around their mean. */
  readonly costs?: 'constant' | 'exponential';
}

/** The measurements of a load, after the warm-up. */
export interface LoadOutcome {
  /** Completed requests per second. */
  readonly throughput: number;
  /** From start to completion. */
  readonly mean: number;
  readonly median: number;
  readonly p99: number;
}

export interface Outcome {
  /** All requests, with those of the warm-up. */
  readonly started: number;
  readonly completed: number;
  readonly pending: number;
  readonly loads: readonly LoadOutcome[];
  /** The share of time in which each process ran, after the warm-up. */
  readonly utilisation: readonly number[];
}

/** Requests of the first tenth are not measured: the queues are still empty. */
const warmUpShare = 0.1;

/** How long a process runs while others wait for its core: the base slice of Linux's scheduler. */
const slice = 0.003;

interface Request {
  readonly load: Load;
  /** Where its latency is collected. */
  readonly latencies: number[];
  readonly start: number;
  step: number;
}

interface Process extends SimulatedProcess {
  readonly queue: Request[];
  /** Processor time that the first request still needs; undefined before it starts. */
  left: number | undefined;
  used: number;
  /** Processor time, as far as the scheduler is concerned: the runnable process with the least runs next. */
  virtual: number;
  isRunning: boolean;
}

/** Runs the simulation. */
export function simulate({ processes, loads, seconds, speed = 1, costs = 'constant' }: Simulated): Outcome {
  const random = new Random('simulation');
  const exponential = () => -Math.log1p(-random.below(2 ** 32) / 2 ** 32);
  const warmUp = seconds * warmUpShare;
  const all = processes.map(
    (each): Process => ({ ...each, queue: [], left: undefined, used: 0, virtual: 0, isRunning: false }),
  );
  const cores = Array.from({ length: 1 + Math.max(...processes.flatMap((each) => each.cores)) }, () => ({
    running: undefined as Process | undefined,
    until: 0,
  }));
  const events = new Events();
  let now = 0;
  let [started, completed, onTheWay] = [0, 0, 0];

  function start(load: Load, latencies: number[]): void {
    started += 1;
    if ('rate' in load) events.add(now + exponential() / load.rate, () => start(load, latencies));
    visit({ load, latencies, start: now, step: 0 });
  }

  /** Sends a request to the process of its step, or completes it. */
  function visit(request: Request): void {
    const step = request.load.steps[request.step];
    if (step === undefined) complete(request);
    else if (step.delay === undefined) arrive(request, step);
    else {
      onTheWay += 1;
      events.add(now + step.delay, () => {
        onTheWay -= 1;
        arrive(request, step);
      });
    }
  }

  function arrive(request: Request, { process }: Step): void {
    const at = all[process];
    if (!at) throw new RangeError(`There is no process ${process}.`);
    at.queue.push(request);
    if (at.queue.length > 1 || at.isRunning) return;
    // A process that has slept does not catch up on the processor time of the others.
    const awake = all.filter((each) => each !== at && each.queue.length > 0).map((each) => each.virtual);
    at.virtual = Math.max(at.virtual, awake.length > 0 ? Math.min(...awake) - slice : 0);
  }

  function complete({ load, latencies, start: sent }: Request): void {
    completed += 1;
    if (now >= warmUp) latencies.push(now - sent);
    if ('connections' in load) start(load, latencies);
  }

  /** Gives each free core the runnable process that has run least. */
  function schedule(): void {
    for (const [index, core] of cores.entries()) {
      if (core.running && core.until > now + 1e-12) continue;
      if (core.running) core.running.isRunning = false;
      let next: Process | undefined;
      for (const each of all) {
        if (each.isRunning || each.queue.length === 0 || !each.cores.includes(index)) continue;
        if (next === undefined || each.virtual < next.virtual) next = each;
      }
      core.running = next;
      core.until = now + slice;
      if (next) next.isRunning = true;
    }
  }

  /** Runs the processes on the cores until a moment. */
  function advance(to: number): void {
    const elapsed = to - now;
    for (const { running } of cores) {
      if (!running) continue;
      running.left = (running.left ?? 0) - elapsed * speed;
      running.virtual += elapsed;
      if (to > warmUp) running.used += Math.min(elapsed, to - warmUp);
    }
    now = to;
  }

  /** Sends on the requests that the running processes have finished with. */
  function finish(): void {
    for (const core of cores) {
      const { running } = core;
      if (!running || running.left === undefined || running.left > 1e-12) continue;
      const request = running.queue.shift() as Request;
      running.left = undefined;
      if (running.queue.length === 0) {
        running.isRunning = false;
        core.running = undefined;
      }
      request.step += 1;
      visit(request);
    }
  }

  const measured = loads.map((load) => {
    const latencies: number[] = [];
    const first = 'rate' in load ? 1 : load.connections;
    for (let connection = 0; connection < first; connection += 1) start(load, latencies);
    return latencies;
  });
  for (;;) {
    schedule();
    let next = events.next;
    for (const { running, until } of cores) {
      if (!running) continue;
      running.left ??= costOf(running) * (costs === 'constant' ? 1 : exponential());
      next = Math.min(next, until, now + running.left / speed);
    }
    if (next >= seconds) break;
    advance(next);
    finish();
    events.runUntil(now);
  }
  advance(seconds);
  return {
    started,
    completed,
    pending: all.reduce((sum, { queue }) => sum + queue.length, onTheWay),
    loads: measured.map((latencies) => {
      const sorted = inOrder(latencies);
      return {
        throughput: latencies.length / (seconds - warmUp),
        mean: latencies.reduce((sum, each) => sum + each, 0) / latencies.length,
        median: quantile(sorted, 0.5),
        p99: quantile(sorted, 0.99),
      };
    }),
    utilisation: all.map(({ used }) => used / (seconds - warmUp)),
  };
}

/** The mean processor time of the request that is first in a queue. */
function costOf({ queue: [request] }: Process): number {
  return request?.load.steps[request.step]?.cost ?? 0;
}

/** What happens at a moment without a core: arrivals. There are few at a time, so a sorted array is enough. */
class Events {
  readonly #events: { readonly at: number; readonly run: () => void }[] = [];

  /** The time of the next event. */
  get next(): number {
    return this.#events.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  }

  add(at: number, run: () => void): void {
    let index = this.#events.length;
    while (index > 0 && (this.#events[index - 1]?.at ?? 0) <= at) index -= 1;
    this.#events.splice(index, 0, { at, run });
  }

  /** Runs the events that are due. */
  runUntil(now: number): void {
    while (this.next <= now) this.#events.pop()?.run();
  }
}
