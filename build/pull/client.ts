import type { Dispatcher } from 'undici';
import { retryDelay } from '../release/retry-delay.ts';
import { formatDuration } from '../report/wording.ts';
import { agentFor, type Received, sendRequest } from './connection.ts';
import { FileFailed, PullStopped, quoted, RequestFailed, tryLater } from './errors.ts';
import { type Fields, longestWait, type RateLimiter, readRetryAfter } from './rate-limit.ts';
import type { PullSettings } from './settings.ts';

/** Requests in flight at the same time, each on a connection of its own. */
export const concurrency = 4;

/** Files in a row that fail before the service counts as down. */
const maxFailures = 3;

/** Attempts of one request, and milliseconds that they may take together. */
const maxAttempts = 8;
const maxAttemptTime = 10 * 60_000;

/** Milliseconds: the bound of the first delay, and the largest bound. */
const firstBound = 1000;
const largestBound = 30_000;

interface ClientSettings extends Pick<PullSettings, 'baseUrl' | 'key' | 'proxy' | 'timeout' | 'clock' | 'note'> {
  readonly limiter: RateLimiter;
  /** Ends all waiting, and aborts the requests in flight. */
  readonly signal: AbortSignal;
}

interface ResourceRequest {
  /** Below the base address, without a leading slash. */
  readonly path: string;
  /** Whether it requires the key, and so counts towards the limits. */
  readonly isProtected: boolean;
  /** Of the local file. */
  readonly etag?: string | undefined;
}

/** A response with status 200. */
export interface Found extends Pick<Received, 'fields' | 'body'> {
  readonly url: string;
}

/** Requests resources within the rate limits, and retries failed requests. */
export class Client {
  readonly #settings: ClientSettings;
  readonly #agent: Dispatcher;
  /** Since the last request that succeeded. */
  #failures = 0;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.#agent = agentFor(settings.proxy, concurrency);
  }

  /** The full address of a path. */
  urlOf(path: string): string {
    return `${this.#settings.baseUrl}/${path}`;
  }

  /**
   * Gets one resource. Connection errors, 408, 429 and 5xx are retried with exponential backoff, as are responses that
   * `read` finds damaged.
   *
   * @param read turns a response into what the caller needs; throws RequestFailed
   * @returns the result of `read`; `unchanged` when the ETag still matches, `missing` for 404
   * @throws FileFailed when retries do not help; PullStopped when other requests would fail too
   */
  async get<Value>(request: ResourceRequest, read: (found: Found) => Value): Promise<Value | 'unchanged' | 'missing'> {
    const { clock, signal, note } = this.#settings;
    const url = this.urlOf(request.path);
    const start = clock.elapsed();
    for (let attempts = 1; ; attempts += 1) {
      try {
        const value = await this.#attempt(url, request, read);
        this.#failures = 0;
        return value;
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
        const { message: reason, retryAfter } = error;
        if (retryAfter > longestWait)
          throw tryLater(`${url}: ${reason}. The service allows the next request at`, clock.now(), retryAfter);
        const delay = retryAfter + jitteredDelay(attempts + 1, clock.random);
        const spent = clock.elapsed() - start;
        if (attempts >= maxAttempts || spent + delay > maxAttemptTime)
          throw this.#givenUp(request, `${url}: ${reason}. Tried ${attempts} times in ${formatDuration(spent)}.`);
        note(`${url}: ${reason}. Attempt ${attempts + 1} of ${maxAttempts} in ${formatDuration(delay)}.`);
        await clock.sleep(delay, signal);
      }
    }
  }

  /** Closes the connections. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** One or two broken files are possible at a healthy service; broken metadata, or more files in a row, are not. */
  #givenUp({ isProtected }: ResourceRequest, sentence: string): Error {
    this.#failures += 1;
    if (isProtected && this.#failures < maxFailures) return new FileFailed(sentence);
    return new PullStopped(`${sentence} Is that the address of the service, and is it up? Try again later.`);
  }

  async #attempt<Value>(url: string, request: ResourceRequest, read: (found: Found) => Value) {
    const { status, fields, body } = await this.#send(url, request);
    if (status === 200) return read({ url, body, fields });
    if (status === 304 && request.etag !== undefined) return 'unchanged';
    if (status === 404) return 'missing';
    if (status !== 408 && status !== 429 && status < 500) throw new PullStopped(explainStatus(url, status, fields));
    // For protected requests the rate limiter applies it to all requests together.
    const retryAfter = request.isProtected ? undefined : readRetryAfter(fields, this.#settings.clock.now());
    throw new RequestFailed(`status ${status}`, retryAfter);
  }

  async #send(url: string, { isProtected, etag }: ResourceRequest): Promise<Received> {
    const { key, limiter } = this.#settings;
    const send = (headers: Record<string, string>) => sendRequest(this.#agent, url, headers, this.#settings);
    // Caches between here and the service may be out of date.
    if (!isProtected) return send({ 'Cache-Control': 'no-cache' });
    await limiter.acquire(this.#settings.signal);
    let fields: Fields | undefined;
    try {
      const condition = etag === undefined ? {} : { 'If-None-Match': etag };
      const received = await send({ Authorization: `Bearer ${key}`, ...condition });
      fields = received.fields;
      return received;
    } finally {
      limiter.release(fields);
    }
  }
}

/**
 * The delay before an attempt: exponential backoff with full jitter, so that clients that failed together do not retry
 * together.
 *
 * @param attempt from 2 on
 * @param random returns a number from 0 up to, but not including, 1
 * @returns milliseconds
 */
export function jitteredDelay(attempt: number, random: () => number): number {
  return random() * retryDelay(attempt - 1, firstBound, largestBound);
}

/** Explains a status that a retry does not change. */
function explainStatus(url: string, status: number, fields: Fields): string {
  let text = `the service responded with status ${status}, which is unexpected. Is that the address of the service?`;
  if (status === 401)
    text =
      'the service does not recognize API_KEY as a key (401). ' +
      'Set it to the whole key, as shown when it was created.';
  else if (status === 403)
    text =
      'the API key is unknown, revoked or expired (403). ' +
      'Create a new one in the dashboard of the service, and set API_KEY to it.';
  else if (status >= 300 && status < 400 && status !== 304)
    text =
      `the service redirects${redirectTarget(fields['location'], url)} (${status}). ` +
      'Redirects are not followed, to protect the key. If the service has moved, use its new address.';
  return `${url}: ${text}`;
}

function redirectTarget(location: Fields[string], base: string): string {
  if (typeof location !== 'string' || !URL.canParse(location, base)) return '';
  return ` to ${quoted(new URL(location, base).href)}`;
}
