/** Requests to a service: within its limits, and repeated where that helps. */
import { formatDuration } from '../report/wording.ts';
import {
  connectionError,
  explainStatus,
  PastpaperError,
  quoted,
  RequestFailed,
  tryLater,
} from './errors.ts';
import { type Clock, type Fields, longestWait, RateLimiter, readRetryAfter } from './rate-limit.ts';

/** Bytes of a decompressed body. Papers have some hundred thousand, diagrams rarely a million; a pack has a whole year. */
const maxBodySize = 32 * 1024 * 1024;
const maxPackSize = 1024 * 1024 * 1024;

/** A pack may take so many times as long as a file. */
const packTime = 15;

/** Attempts of one request, and milliseconds that they may take together. */
const maxAttempts = 8;
const maxAttemptTime = 10 * 60_000;

/** Milliseconds: the bound of the first delay, and the largest bound. */
const firstBound = 1000;
const largestBound = 30_000;

/** Files in a row that fail before the service counts as down. */
const maxFailures = 3;

export interface ConnectionSettings {
  /** Scheme, host and, if the service is not at the root, a path; no trailing slash. */
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** Milliseconds from a request to the last byte of its response. */
  readonly timeout: number;
  /** Takes a sentence about a problem that a retry may solve. */
  readonly note: (sentence: string) => void;
}

/** What to request, and what it must be. */
interface Wanted<Value> {
  /** Below the base address, without a leading slash. */
  readonly path: string;
  /** Whether it requires the key, and so counts towards the limits. */
  readonly isProtected: boolean;
  readonly kind: 'json' | 'file' | 'pack';
  /** Turns the decompressed body into what the caller needs. Throws RequestFailed when it is damaged: it is requested again. */
  readonly read: (body: Uint8Array) => Value;
}

export type Connection = ReturnType<typeof connect>;

/**
 * Requests resources of a service. Requests with the key follow one another, at the rate that the service allows.
 * Redirects are not followed.
 */
export function connect({ baseUrl, key, fetch, clock, timeout, note }: ConnectionSettings) {
  const limiter = new RateLimiter(clock);
  /** Files since the last request that succeeded. */
  let failures = 0;
  let queue: Promise<unknown> = Promise.resolve();
  const urlOf = (path: string) => `${baseUrl}/${path}`;

  /** One or two broken files are possible at a healthy service; broken metadata, or more files in a row, are not. */
  function givenUp({ isProtected }: Wanted<unknown>, code: RequestFailed['code'], why: string) {
    failures += 1;
    if (isProtected && failures < maxFailures) return new PastpaperError(code, why);
    return new PastpaperError(
      'address',
      `${why} Is that the address of the service, and is it up? Try again later.`,
    );
  }

  async function attempt<Value>(url: string, wanted: Wanted<Value>): Promise<Value | undefined> {
    const { isProtected, kind } = wanted;
    const { status, fields, body } = await (isProtected ? sendLimited(url, kind) : send(url, kind));
    // Services of earlier versions have no packs.
    if (status === 404 || (status === 400 && kind === 'pack')) return undefined;
    if (status === 200) {
      if (kind === 'json') requireJson(url, fields);
      return wanted.read(body);
    }
    if (status !== 408 && status !== 429 && status < 500)
      throw explainStatus(url, status, fields['location']);
    // For protected requests the rate limiter applies it to all requests together.
    const retryAfter = isProtected ? undefined : readRetryAfter(fields, clock.now());
    throw new RequestFailed(`status ${status}`, 'unavailable', retryAfter);
  }

  async function sendLimited(url: string, kind: Wanted<unknown>['kind']) {
    if (!key)
      throw new PastpaperError(
        'key',
        `${url} requires an API key. Create one in the dashboard of the service, and set the environment ` +
          "variable API_KEY to it, or pass it: Bank.open(address, { key: '...' }).",
      );
    await limiter.wait();
    let fields: Fields | undefined;
    try {
      const received = await send(url, kind, { Authorization: `Bearer ${key}` });
      fields = received.fields;
      return received;
    } finally {
      limiter.count(fields);
    }
  }

  /** Sends a GET request, limited in time and size. @throws RequestFailed or PastpaperError */
  async function send(
    url: string,
    kind: Wanted<unknown>['kind'],
    headers: Readonly<Record<string, string>> = {},
  ) {
    const limit = kind === 'pack' ? timeout * packTime : timeout;
    const signal = AbortSignal.timeout(limit);
    try {
      // Caches between here and the service may be out of date.
      const response = await fetch(url, { headers, signal, redirect: 'manual', cache: 'no-cache' });
      const isFound = response.status === 200;
      const coding = response.headers.get('content-encoding');
      if (isFound && coding && !/^(br|gzip|deflate|identity)$/i.test(coding))
        throw new RequestFailed('the response has a content coding that was not requested');
      if (!isFound) await response.body?.cancel();
      const fields: Fields = Object.fromEntries(response.headers);
      return {
        status: response.status,
        fields,
        body: isFound
          ? await readBody(url, response, kind === 'pack' ? maxPackSize : maxBodySize)
          : new Uint8Array(),
      };
    } catch (error) {
      if (error instanceof PastpaperError || error instanceof RequestFailed) throw error;
      if (signal.aborted)
        throw new RequestFailed(`the response took longer than ${limit / 1000} s`, 'unavailable');
      throw connectionError(url, error);
    }
  }

  async function repeat<Value>(wanted: Wanted<Value>): Promise<Value | undefined> {
    const url = urlOf(wanted.path);
    const start = clock.elapsed();
    for (let attempts = 1; ; attempts += 1) {
      try {
        const value = await attempt(url, wanted);
        failures = 0;
        return value;
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
        const { message: reason, code, retryAfter } = error;
        if (retryAfter > longestWait)
          throw tryLater(
            'quota',
            `${url}: ${reason}. The service allows the next request at`,
            clock.now(),
            retryAfter,
          );
        const delay = retryAfter + jitteredDelay(attempts, clock);
        const spent = clock.elapsed() - start;
        if (attempts >= maxAttempts || spent + delay > maxAttemptTime)
          throw givenUp(
            wanted,
            code,
            `${url}: ${reason}. Tried ${attempts} times in ${formatDuration(spent)}.`,
          );
        note(
          `${url}: ${reason}. Attempt ${attempts + 1} of ${maxAttempts} in ${formatDuration(delay)}.`,
        );
        await clock.sleep(delay);
      }
    }
  }

  return {
    urlOf,
    clock,
    /** As the service last reported them. */
    limits: () => limiter.limits,

    /**
     * Gets one resource. Connection errors, 408, 429 and 5xx are retried with exponential backoff, as are responses that
     * `read` finds damaged.
     *
     * @returns the result of `read`; undefined for 404
     * @throws PastpaperError: `unavailable` or `damaged` when others may succeed, another code when they would fail too
     */
    get<Value>(wanted: Wanted<Value>): Promise<Value | undefined> {
      if (!wanted.isProtected) return repeat(wanted);
      const result = queue.then(() => repeat(wanted));
      queue = result.catch(() => undefined);
      return result;
    },
  };
}

/** Reads a body up to a size. */
async function readBody(url: string, { body }: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    chunks.push(part.value);
    size += part.value.length;
    if (size <= limit) continue;
    await reader?.cancel();
    throw new PastpaperError(
      'address',
      `${url}: the response is larger than any file of a question bank. Is that the address of the service?`,
    );
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** A page in place of data comes from something other than a question bank: a retry does not help. */
function requireJson(url: string, fields: Fields): void {
  const type = fields['content-type'];
  if (typeof type === 'string' && /^application\/(feed\+)?json\s*(;|$)/i.test(type)) return;
  const actual = typeof type === 'string' ? quoted(type) : 'without a media type';
  throw new PastpaperError(
    'address',
    `${url}: the response is ${actual}, not JSON. Is that the address of the service? ` +
      'Something in front of it may require a sign-in.',
  );
}

/**
 * The milliseconds before another attempt: exponential backoff with full jitter, so that clients that failed together do
 * not retry together.
 */
export function jitteredDelay(attempts: number, clock: Clock): number {
  return clock.random() * Math.min(largestBound, firstBound * 2 ** (attempts - 1));
}
