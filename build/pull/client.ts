import { Connection, type Received, type TimeLimits, type Way } from './connection.ts';
import { comeLater, DamagedAnswer, FileFailed, mayPass, PullStopped, troubleOf } from './errors.ts';
import { type Fields, longestWait, type Pace, readRetryAfter, type Timing } from './rate-limit.ts';
import { inWords, quoted } from './words.ts';

/** Files in a row that cannot be had before a service counts as down. */
const mostFailures = 3;

/** Whom to ask, and how. */
export interface ClientSettings {
  /** Scheme, host and, where the service is not at the top, a path; no slash at the end. */
  readonly baseUrl: string;
  readonly key: string;
  /** Requests under way at the same time. */
  readonly atOnce: number;
  readonly timeLimits: TimeLimits;
  readonly way: Way;
}

/** What a request asks for. */
export interface Asked {
  /** Below the base address, with a slash before it. */
  readonly path: string;
  /** Whether it needs the key, and so counts towards the limits. */
  readonly isProtected: boolean;
  /** Of what is here already. */
  readonly etag?: string | undefined;
}

/** The answer with status 200. */
export interface Found {
  readonly body: Buffer;
  readonly fields: Fields;
}

/** How one try ended. */
type Try<Value> =
  | { readonly kind: 'answered'; readonly value: Value | 'unchanged' | 'missing' }
  | {
      readonly kind: 'failed';
      readonly why: string;
      /** Milliseconds that the service asks to wait. */
      readonly retryAfter: number;
    };

/** Asks the service, in its pace, and again where that may help. */
export class Client {
  readonly #settings: ClientSettings;
  readonly #connection: Connection;
  readonly #pathPrefix: string;
  readonly #pace: Pace;
  readonly #timing: Timing;
  readonly #signal: AbortSignal;
  readonly #tell: (sentence: string) => void;
  /** Since a request last went well. */
  #failures = 0;

  /** @param signal ends all waiting @param tell takes a sentence for whoever watches */
  constructor(
    settings: ClientSettings,
    pace: Pace,
    timing: Timing,
    signal: AbortSignal,
    tell: (sentence: string) => void,
  ) {
    const { origin, pathname } = new URL(settings.baseUrl);
    this.#settings = settings;
    this.#connection = new Connection(origin, settings.atOnce, settings.timeLimits, settings.way);
    this.#pathPrefix = pathname.replace(/\/$/, '');
    this.#pace = pace;
    this.#timing = timing;
    this.#signal = signal;
    this.#tell = tell;
  }

  /** The whole address of a path. */
  urlOf(path: string): string {
    return `${this.#settings.baseUrl}${path}`;
  }

  /**
   * Gets one resource. Network errors, 408, 429 and 5xx are tried again with exponential backoff, as is an answer
   * that `read` finds damaged.
   *
   * @param read makes of an answer what the caller needs; throws DamagedAnswer
   * @returns what `read` returned; `unchanged` when the ETag still holds, `missing` for 404
   * @throws FileFailed when tries do not help; PullStopped when that goes for whatever comes next, too
   */
  async get<Value>(asked: Asked, read: (found: Found) => Value): Promise<Value | 'unchanged' | 'missing'> {
    const start = this.#timing.elapsed();
    for (let tries = 1; ; tries += 1) {
      const end = await this.#try(asked, read);
      if (end.kind === 'answered') {
        this.#failures = 0;
        return end.value;
      }
      const delay = end.retryAfter + delayBefore(tries + 1, this.#timing.random);
      const url = this.urlOf(asked.path);
      if (end.retryAfter > longestWait)
        throw comeLater(
          `${url}: ${end.why}. The service asks to come again at`,
          this.#timing.now(),
          end.retryAfter,
        );
      const spent = this.#timing.elapsed() - start;
      if (triesEnd(tries, spent + delay))
        throw this.#givenUp(asked, `${url}: ${end.why}. It was tried ${tries} times in ${inWords(spent)}.`);
      this.#tell(`${url}: ${end.why}; try ${tries + 1} of ${mostTries} in ${inWords(delay)}.`);
      await this.#timing.sleep(delay, this.#signal);
    }
  }

  /** Closes the connections. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  /** A file or two may be broken at a service that is well otherwise; metadata, or more files in a row, may not. */
  #givenUp({ isProtected }: Asked, sentence: string): Error {
    this.#failures += 1;
    if (isProtected && this.#failures < mostFailures) return new FileFailed(sentence);
    return new PullStopped(`${sentence} Is that the address of the service, and is it up? Try again later.`);
  }

  async #try<Value>(asked: Asked, read: (found: Found) => Value): Promise<Try<Value>> {
    try {
      const { status, fields, body } = await this.#exchange(asked);
      if (status === 200) return { kind: 'answered', value: read({ body, fields }) };
      if (status === 304 && asked.etag !== undefined) return { kind: 'answered', value: 'unchanged' };
      if (status === 404) return { kind: 'answered', value: 'missing' };
      if (status !== 408 && status !== 429 && status < 500)
        throw new PullStopped(this.#refusal(asked, status, fields));
      const retryAfter = readRetryAfter(fields, this.#timing.now()) ?? 0;
      // In a protected request the pace sees to it, for all requests together.
      return failed(`status ${status}`, asked.isProtected ? 0 : retryAfter);
    } catch (error) {
      if (error instanceof PullStopped || error instanceof FileFailed) throw error;
      this.#signal.throwIfAborted();
      if (error instanceof DamagedAnswer) return failed(error.message);
      if (isFault(error)) throw error;
      const why = troubleOf(error);
      if (mayPass(error)) return failed(why);
      throw new PullStopped(`${this.urlOf(asked.path)}: ${why}. Is that the address of the service?`);
    }
  }

  async #exchange({ path, isProtected, etag }: Asked): Promise<Received> {
    const { key } = this.#settings;
    const url = `${this.#pathPrefix}${path}`;
    // What is public is asked for without the key, and past caches that may be behind the service.
    if (!isProtected) return this.#connection.ask(url, { 'Cache-Control': 'no-cache' });
    await this.#pace.take(this.#signal);
    let fields: Fields | undefined;
    try {
      const received = await this.#connection.ask(url, {
        Authorization: `Bearer ${key}`,
        ...(etag !== undefined && { 'If-None-Match': etag }),
      });
      fields = received.fields;
      return received;
    } finally {
      this.#pace.answered(fields);
    }
  }

  #refusal({ path }: Asked, status: number, fields: Fields): string {
    const url = this.urlOf(path);
    if (status === 401)
      return `${url}: the service did not take the API key for one (401). API_KEY has to hold the whole key, as it was shown when it was made.`;
    if (status === 403)
      return `${url}: the API key is unknown, revoked or expired (403). Make a new one in the dashboard of the service, and put it into API_KEY.`;
    if (status >= 300 && status < 400 && status !== 304)
      return `${url}: the service redirects${targetOf(fields['location'], url)} (${status}). Redirects are not followed, so that the key goes nowhere else. If the service has moved there, give its new address.`;
    return `${url}: the service answered with status ${status}, which no question bank gives here. Is that the address of the service?`;
  }
}

function failed(why: string, retryAfter = 0): Try<never> {
  return { kind: 'failed', why, retryAfter };
}

function targetOf(location: Fields[string], base: string): string {
  if (typeof location !== 'string' || !URL.canParse(location, base)) return '';
  return ` to ${quoted(new URL(location, base).href)}`;
}

/** A mistake in this program is told as one, and is not tried again. */
function isFault(error: unknown): boolean {
  // What Node and undici refuse has a code, whatever its class.
  return (
    (error as NodeJS.ErrnoException).code === undefined &&
    (error instanceof TypeError || error instanceof RangeError)
  );
}

/** Tries of one request, all in all, and how long they may take together, in milliseconds. */
export const mostTries = 8;
const longestTrying = 10 * 60_000;

/** Milliseconds: the bound of the first delay, and where the bound stops doubling. */
const firstBound = 1000;
const lastBound = 30_000;

/**
 * How long to wait before a try: exponential backoff with full jitter, so that clients that failed together do
 * not come again together.
 *
 * @param number of the try, from 2 on
 * @param random from 0 up to, but not including, 1
 * @returns milliseconds
 */
export function delayBefore(number: number, random: () => number): number {
  return random() * Math.min(lastBound, firstBound * 2 ** (number - 2));
}

/** Whether there is no further try, after so many that would have taken so many milliseconds by the next. */
export function triesEnd(tries: number, spent: number): boolean {
  return tries >= mostTries || spent > longestTrying;
}
