import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Item, parseList } from 'structured-headers';
import { count } from '../../report/wording.ts';
import { type PullStopped, tryLater } from './errors.ts';

/** Time and randomness, so that tests can replace them. */
export interface Clock {
  /** Milliseconds since 1970, UTC. May be set back. */
  now(): number;
  /** Milliseconds since the process started. Never goes back. */
  elapsed(): number;
  /** Rejects with the signal's reason when the signal aborts first. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to, but not including, 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  async sleep(milliseconds, signal) {
    await delay(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
  },
  random: () => Math.random(),
};

/** Milliseconds. A pull does not wait for anything that takes longer, such as a month's quota. */
export const longestWait = 5 * 60_000;

/** Milliseconds added to every window: timers fire a little early, and clocks drift. */
const slack = 25;

/** At most so many requests in any window of so many milliseconds. */
type Window = Readonly<Record<'requests' | 'span', number>>;

/** Before the first response: one request goes ahead. */
const initialWindows: readonly Window[] = [{ requests: 1, span: 1000 }];

/** The free plan (section 8 of the specification), if a service does not report its limits. */
const defaultWindows: readonly Window[] = [{ requests: 2, span: 1000 }];

/**
 * Delays requests so that a service with sliding windows rejects none. The service counts a request somewhere between
 * its start and its response. So the next request may start when the requests in flight and those that ended within
 * the window are fewer than the limit: then no window at the service can hold too many. When the service reports that
 * none are left, because other clients use the same account, all requests wait for the reset. Of a quota that is too
 * long to wait for, no more requests are in flight than are left, and all of them end before the pull does.
 */
export class RateLimiter {
  readonly #clock: Clock;
  #windows = initialWindows;
  /** As last reported by the service. */
  limits: readonly RateLimit[] = [];
  #inFlight = 0;
  /** When requests ended, oldest first. */
  #ended: number[] = [];
  /** An earlier pull may just have used the limits: nothing is sent in the first window of the process. */
  #closedUntil = 1000 + slack;
  /** Settles when the previous request in the queue has started. */
  #queue: Promise<void> = Promise.resolve();
  readonly #events = new EventEmitter();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves when a request may start. `release` has to follow.
   *
   * @throws PullStopped when the wait is too long; the signal's reason when it aborts
   */
  acquire(signal: AbortSignal): Promise<void> {
    const acquired = this.#queue.then(() => this.#acquire(signal));
    this.#queue = acquired.catch(() => undefined);
    return acquired;
  }

  /** Counts a request that ended. @param fields of its response, if there is one */
  release(fields: Fields | undefined): void {
    this.#inFlight -= 1;
    this.#ended.push(this.#clock.elapsed());
    if (fields) {
      this.#update(readRateLimit(fields));
      this.#closeFor(readRetryAfter(fields, this.#clock.now()) ?? 0);
    }
    this.#events.emit('release');
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const wait = this.#wait();
      if (wait === 0) break;
      if (wait < Number.POSITIVE_INFINITY) await this.#clock.sleep(wait, signal);
      else await once(this.#events, 'release', { signal }).catch(() => signal.throwIfAborted());
    }
    this.#inFlight += 1;
  }

  /** Milliseconds until a request may start; Infinity: not before a request in flight ends. */
  #wait(): number {
    const now = this.#clock.elapsed();
    const closed = this.#closedUntil - now;
    const left = closed > longestWait ? 0 : this.#quotaLeft();
    if (this.#inFlight > 0 && this.#inFlight >= left) return Number.POSITIVE_INFINITY;
    if (closed > longestWait) throw this.#tooLong(closed);
    this.#ended = this.#ended.filter((time) => now - time < longestWait + slack);
    return Math.max(0, closed, ...this.#windows.map((window) => this.#waitFor(window, now)));
  }

  /** Requests left of the quotas that do not reset while a pull waits. */
  #quotaLeft(): number {
    const quotas = this.limits
      .filter(isQuota)
      .map(({ remaining = Number.POSITIVE_INFINITY }) => remaining);
    return Math.min(...quotas);
  }

  #waitFor({ requests, span }: Window, now: number): number {
    const recent = this.#ended.filter((time) => now - time < span + slack);
    const excess = this.#inFlight + recent.length - requests + 1;
    if (excess <= 0) return 0;
    return (recent[excess - 1] ?? Number.POSITIVE_INFINITY) + span + slack - now;
  }

  #update(limits: readonly RateLimit[]): void {
    if (limits.length > 0) this.limits = limits.map((limit) => this.#newer(limit));
    const windows = limits.flatMap(({ quota = 0, span = Number.POSITIVE_INFINITY }) =>
      quota > 0 && span <= longestWait ? [{ requests: quota, span }] : [],
    );
    if (windows.length > 0) this.#windows = windows;
    else if (this.#windows === initialWindows) this.#windows = defaultWindows;
    for (const { remaining, reset } of limits)
      if (remaining === 0 && reset !== undefined) this.#closeFor(reset);
  }

  /** Responses overtake each other: of two about the same month, the one with less left is the newer. */
  #newer(limit: RateLimit): RateLimit {
    const previous = this.limits.find(({ name }) => name === limit.name);
    const isSameMonth = Math.abs((limit.reset ?? 0) - (previous?.reset ?? 0)) <= longestWait;
    return previous &&
      isQuota(limit) &&
      isSameMonth &&
      (previous.remaining ?? 0) < (limit.remaining ?? 0)
      ? previous
      : limit;
  }

  #closeFor(milliseconds: number): void {
    if (milliseconds > 0)
      this.#closedUntil = Math.max(this.#closedUntil, this.#clock.elapsed() + milliseconds + slack);
  }

  #tooLong(wait: number): PullStopped {
    const spent = this.limits.find(
      ({ remaining, reset = 0 }) => remaining === 0 && reset > longestWait,
    );
    const quota = spent?.quota === undefined ? '' : ` of ${count(spent.quota, 'request')}`;
    const why = spent
      ? `The quota${quota} is used up. It resets at`
      : 'The service allows the next request at';
    return tryLater(why, this.#clock.now(), wait);
  }
}

function isQuota({ span = 0 }: RateLimit): boolean {
  return span > longestWait;
}

/** A limit as a service reports it. Absent values are undefined. */
export interface RateLimit {
  readonly name: string;
  /** Requests in a window. */
  readonly quota?: number | undefined;
  /** Length of the window in milliseconds. */
  readonly span?: number | undefined;
  /** Requests left. */
  readonly remaining?: number | undefined;
  /** Milliseconds until more are left. */
  readonly reset?: number | undefined;
}

/** Header fields of a response, by name in lower case. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads `RateLimit-Policy` (`"rate";q=2;w=1`) and `RateLimit` (`"rate";r=0;t=1`) in the form of
 * draft-ietf-httpapi-ratelimit-headers-08: lists of structured fields (RFC 9651). Invalid fields and parameters are
 * ignored.
 *
 * @returns one limit per name
 */
export function readRateLimit(fields: Fields): readonly RateLimit[] {
  const policies = itemsOf(fields['ratelimit-policy']);
  const states = itemsOf(fields['ratelimit']);
  return [...new Set([...policies.keys(), ...states.keys()])].map((name) => {
    const policy = policies.get(name);
    const state = states.get(name);
    return {
      name,
      quota: integer(policy, 'q'),
      span: integer(policy, 'w', 1000),
      remaining: integer(state, 'r'),
      reset: integer(state, 't', 1000),
    };
  });
}

/**
 * Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
 *
 * @param now milliseconds since 1970, UTC
 * @returns milliseconds from now; undefined without a valid field
 */
export function readRetryAfter(fields: Fields, now: number): number | undefined {
  const text = fields['retry-after'];
  if (typeof text !== 'string') return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts almost anything.
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The parameters of each item of a list, by the item's name. */
function itemsOf(field: Fields[string]): ReadonlyMap<string, Item[1]> {
  try {
    const items = parseList(String(field ?? '')).filter(
      (member): member is Item => typeof member[0] === 'string',
    );
    return new Map(items.map(([name, parameters]) => [String(name), parameters]));
  } catch {
    return new Map();
  }
}

function integer(parameters: Item[1] | undefined, name: string, factor = 1): number | undefined {
  const value = parameters?.get(name);
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
    ? value * factor
    : undefined;
}
