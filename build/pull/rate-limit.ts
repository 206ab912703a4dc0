import { setTimeout as delay } from 'node:timers/promises';
import { type Item, type List, parseList } from 'structured-headers';
import { comeLater, type PullStopped } from './errors.ts';
import { counted } from './words.ts';

/** Milliseconds. Whatever takes longer is not waited for: a month's quota, say. */
export const longestWait = 5 * 60_000;

/** Milliseconds added to every span: timers fire a little early, and no two clocks run alike. */
const slack = 25;

/** At most so many requests in any span of so many milliseconds. */
interface Limit {
  readonly requests: number;
  readonly span: number;
}

/** What is known before the first answer: nothing, so one request goes ahead. */
const unknown: readonly Limit[] = [{ requests: 1, span: 1000 }];

/** The free plan (section 8 of the specification), where a service does not tell its limits. */
const untold: readonly Limit[] = [{ requests: 2, span: 1000 }];

/**
 * Holds requests back so that a service that counts them in sliding windows refuses none. The service counts a
 * request somewhere between its start and its answer. So one more may start when those under way, and those
 * answered less than a span ago, are fewer than the limit: then no window at the service can hold too many. When
 * the service says that nothing is left, as other clients of the same account may have used it, all wait for the
 * moment that it names. Of a quota that nobody waits for, no more are under way than are left, and all of them arrive
 * before the pull ends: each was counted.
 */
export class Pace {
  readonly #timing: Timing;
  #limits = unknown;
  /** As the service last told them. */
  #told: readonly ToldLimit[] = [];
  #underWay = 0;
  /** When requests were answered, oldest first. */
  #answered: number[] = [];
  #closedUntil: number;
  /** Settles when the request before in the queue has started. */
  #queue: Promise<void> = Promise.resolve();
  #wake: () => void = () => undefined;

  /** A pull that ended just as this process began may have used the limits: for one span nothing goes out. */
  constructor(timing: Timing) {
    this.#timing = timing;
    this.#closedUntil = 1000 + slack;
  }

  /** The limits as the service last told them. */
  get told(): readonly ToldLimit[] {
    return this.#told;
  }

  /**
   * Resolves when a request may start. `answered` has to follow.
   *
   * @throws PullStopped when that is too far off; the signal's reason when it aborts
   */
  take(signal: AbortSignal): Promise<void> {
    const turn = this.#queue.then(() => this.#turn(signal));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** A request has ended. @param fields of its answer, if one came */
  answered(fields: Fields | undefined): void {
    const now = this.#timing.elapsed();
    this.#underWay -= 1;
    this.#answered.push(now);
    if (fields) {
      this.#learn(readRateLimit(fields));
      this.#closeFor(readRetryAfter(fields, this.#timing.now()) ?? 0);
    }
    this.#wake();
  }

  async #turn(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const wait = this.#wait();
      if (wait === 0) break;
      if (wait === undefined) await this.#nextAnswer(signal);
      else await this.#timing.sleep(wait, signal);
    }
    this.#underWay += 1;
  }

  /** Milliseconds until a request may start; undefined: not before one under way is answered. */
  #wait(): number | undefined {
    const now = this.#timing.elapsed();
    const closed = this.#closedUntil - now;
    const left = closed > longestWait ? 0 : this.#leftOfQuota();
    if (this.#underWay > 0 && this.#underWay >= left) return undefined;
    if (closed > longestWait) throw this.#tooLong(closed);
    this.#forgetBefore(now);
    const waits = [Math.max(0, closed), ...this.#limits.map((limit) => this.#waitFor(limit, now))];
    return waits.includes(undefined) ? undefined : Math.max(...(waits as number[]));
  }

  /** Requests left of what does not come back while a pull waits, as far as it is told. */
  #leftOfQuota(): number {
    const quotas = this.#told.filter(isQuota).map(({ remaining = Number.POSITIVE_INFINITY }) => remaining);
    return Math.min(...quotas);
  }

  #waitFor({ requests, span }: Limit, now: number): number | undefined {
    const recent = this.#answered.filter((time) => now - time < span + slack);
    const tooMany = this.#underWay + recent.length - requests + 1;
    if (tooMany <= 0) return 0;
    const leaving = recent[tooMany - 1];
    return leaving === undefined ? undefined : leaving + span + slack - now;
  }

  #forgetBefore(now: number): void {
    const longest = Math.max(...this.#limits.map(({ span }) => span)) + slack;
    this.#answered = this.#answered.filter((time) => now - time < longest);
  }

  #learn(told: readonly ToldLimit[]): void {
    if (told.length > 0) this.#told = told.map((limit) => this.#newer(limit));
    const limits = told.flatMap(({ quota, span }) =>
      quota !== undefined && quota > 0 && span !== undefined && span <= longestWait
        ? [{ requests: quota, span }]
        : [],
    );
    if (limits.length > 0) this.#limits = limits;
    else if (this.#limits === unknown) this.#limits = untold;
    for (const { remaining, reset } of told)
      if (remaining === 0 && reset !== undefined) this.#closeFor(reset);
  }

  /** Answers overtake each other: of two about the same month, the one that leaves less is the newer. */
  #newer(limit: ToldLimit): ToldLimit {
    const known = this.#told.find(({ name }) => name === limit.name);
    const isOfSameMonth = Math.abs((limit.reset ?? 0) - (known?.reset ?? 0)) <= longestWait;
    return known && isQuota(limit) && isOfSameMonth && (known.remaining ?? 0) < (limit.remaining ?? 0)
      ? known
      : limit;
  }

  #closeFor(milliseconds: number): void {
    if (milliseconds > 0)
      this.#closedUntil = Math.max(this.#closedUntil, this.#timing.elapsed() + milliseconds + slack);
  }

  #nextAnswer(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      this.#wake = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
    });
  }

  #tooLong(wait: number): PullStopped {
    const spent = this.#told.find(({ remaining, reset = 0 }) => remaining === 0 && reset > longestWait);
    const quota = spent?.quota === undefined ? '' : ` of ${counted(spent.quota, 'request')}`;
    const why = spent ? `The quota${quota} is spent. It starts anew at` : 'The service asks to come again at';
    return comeLater(why, this.#timing.now(), wait);
  }
}

function isQuota({ span = 0 }: ToldLimit): boolean {
  return span > longestWait;
}

/** One limit as a server tells it. What it leaves out is undefined. */
export interface ToldLimit {
  readonly name: string;
  /** Requests in a span. */
  readonly quota?: number | undefined;
  /** Milliseconds. */
  readonly span?: number | undefined;
  /** Requests left. */
  readonly remaining?: number | undefined;
  /** Milliseconds until more are left. */
  readonly reset?: number | undefined;
}

/** The header fields of an answer, by their names in lower case. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads `RateLimit-Policy` (`"rate";q=2;w=1`) and `RateLimit` (`"rate";r=0;t=1`) in the form of
 * draft-ietf-httpapi-ratelimit-headers-08: lists of structured fields (RFC 9651). What is none, or makes no
 * sense, is passed over.
 *
 * @returns a limit for each name
 */
export function readRateLimit(fields: Fields): readonly ToldLimit[] {
  const policies = itemsOf(fields['ratelimit-policy']);
  const standings = itemsOf(fields['ratelimit']);
  return [...new Set([...policies.keys(), ...standings.keys()])].map((name) => {
    const [policy, standing] = [policies.get(name), standings.get(name)];
    return {
      name,
      quota: policy?.('q'),
      span: inMilliseconds(policy?.('w')),
      remaining: standing?.('r'),
      reset: inMilliseconds(standing?.('t')),
    };
  });
}

/**
 * Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
 *
 * @param now milliseconds since 1970, UTC
 * @returns milliseconds from now; undefined when there is none
 */
export function readRetryAfter(fields: Fields, now: number): number | undefined {
  const text = fields['retry-after'];
  if (typeof text !== 'string') return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Left to itself, Date.parse finds a date in almost anything.
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** A parameter of an item, when it is a whole number that is not negative. */
type Parameter = (name: string) => number | undefined;

function itemsOf(field: Fields[string]): Map<string, Parameter> {
  if (field === undefined) return new Map();
  const items = listOf(String(field)).filter((member): member is Item => typeof member[0] === 'string');
  return new Map(
    items.map(([name, parameters]) => [
      String(name),
      (parameter) => {
        const value = parameters.get(parameter);
        return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
      },
    ]),
  );
}

function listOf(text: string): List {
  try {
    return parseList(text);
  } catch {
    return [];
  }
}

function inMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Time and chance, handed to whoever needs them so that tests can set them. */
export interface Timing {
  /** Wall clock: milliseconds since 1970 in UTC. It may be set back. */
  now(): number;
  /** Milliseconds since the process began; never goes back. */
  elapsed(): number;
  /** Rejects with the signal's reason when that aborts first. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** From 0 up to, but not including, 1. */
  random(): number;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  async sleep(milliseconds, signal) {
    await delay(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
  },
  random: () => Math.random(),
};
