/** The limits of an account: what a service reports, and when the next request may start. */
import { count } from '../report/wording.ts';
import { type PastpaperError, tryLater } from './errors.ts';

/** Time and randomness, so that tests can replace them. */
export interface Clock {
  /** Milliseconds since 1970, UTC. May be set back. */
  now(): number;
  /** Milliseconds from any origin. Never goes back. */
  elapsed(): number;
  sleep(milliseconds: number): Promise<void>;
  /** From 0 up to, but not including, 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: () => Math.random(),
};

/** Milliseconds. A client does not wait for anything that takes longer, such as a month's quota. */
export const longestWait = 5 * 60_000;

/** Milliseconds added to every window: timers fire a little early, and clocks drift. */
const slack = 25;

/**
 * Delays requests so that a service with sliding windows rejects none. Requests follow one another. The service counts a
 * request somewhere between its start and its response, so a window is counted from responses. When the service reports
 * that none are left, because other clients use the same account, the next request waits for the reset.
 */
export class RateLimiter {
  readonly #clock: Clock;
  /** As last reported by the service. */
  limits: readonly RateLimit[] = [];
  /** When requests ended, oldest first. */
  #ended: number[] = [];
  #closedUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits until a request may start. @throws PastpaperError when the wait is too long */
  async wait(): Promise<void> {
    const now = this.#clock.elapsed();
    const closed = this.#closedUntil - now;
    if (closed > longestWait) throw this.#tooLong(closed);
    this.#ended = this.#ended.filter((time) => now - time < longestWait + slack);
    const waits = this.limits.map(({ quota = 0, span = Number.POSITIVE_INFINITY }) => {
      const last = quota > 0 && span <= longestWait ? this.#ended.at(-quota) : undefined;
      return last === undefined ? 0 : last + span + slack - now;
    });
    const wait = Math.max(closed, ...waits);
    if (wait > 0) await this.#clock.sleep(wait);
  }

  /** Counts a request that ended. @param headers of its response, if there is one */
  count(headers: Headers | undefined): void {
    this.#ended.push(this.#clock.elapsed());
    if (!headers) return;
    const limits = readRateLimit(headers);
    if (limits.length > 0) this.limits = limits;
    for (const { remaining, reset = 0 } of limits) if (remaining === 0) this.#closeFor(reset);
    this.#closeFor(readRetryAfter(headers));
  }

  #closeFor(milliseconds: number): void {
    if (milliseconds > 0)
      this.#closedUntil = Math.max(this.#closedUntil, this.#clock.elapsed() + milliseconds + slack);
  }

  #tooLong(wait: number): PastpaperError {
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

/**
 * Reads `RateLimit-Policy` (`"rate";q=2;w=1`) and `RateLimit` (`"rate";r=0;t=1`), draft-ietf-httpapi-ratelimit-headers-08.
 *
 * @returns one limit per name
 */
export function readRateLimit(headers: Headers): readonly RateLimit[] {
  const policies = itemsOf(headers.get('ratelimit-policy'));
  const states = itemsOf(headers.get('ratelimit'));
  return [...new Set([...policies.keys(), ...states.keys()])].map((name) => {
    const { q: quota, w: span } = policies.get(name) ?? {};
    const { r: remaining, t: reset } = states.get(name) ?? {};
    return { name, quota, span: milliseconds(span), remaining, reset: milliseconds(reset) };
  });
}

/** Reads the seconds of `Retry-After` (RFC 9110, 10.2.3). @returns milliseconds; 0 without them */
export function readRetryAfter(headers: Headers): number {
  return Number(/^\d{1,10}$/.exec(headers.get('retry-after') ?? '')?.[0] ?? 0) * 1000;
}

/** The numbers of each item of a list, by the item's name. */
function itemsOf(field: string | null): ReadonlyMap<string, Readonly<Record<string, number>>> {
  const items = (field ?? '').matchAll(/"([^"]*)"((?:;[a-z]=\d{1,15})+)/g);
  return new Map(
    Array.from(items, ([, name = '', parameters = '']) => {
      const numbers = parameters.matchAll(/([a-z])=(\d+)/g);
      return [
        name,
        Object.fromEntries(Array.from(numbers, ([, key, value]) => [key, Number(value)])),
      ];
    }),
  );
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
