/** Requests to a service: within its limits, and repeated where that helps. */
import { formatDuration } from '../report/wording.ts';
import {
  connectionError,
  explainStatus,
  PastpaperError,
  RequestFailed,
  tryLater,
} from './errors.ts';
import { type Clock, longestWait, RateLimiter, readRetryAfter, systemClock } from './rate-limit.ts';

/** Milliseconds from a request to the last byte of its response. A slower service counts as down. */
const timeout = 60_000;

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

/** Turns a decompressed body into what the caller needs. Throws RequestFailed when it is damaged: it is requested again. */
export type Read<Value> = (body: Uint8Array) => Value;

/** A place that has the resources of the API, by their paths without a leading slash. */
export interface Source {
  /** The address of a resource, for messages. */
  urlOf(path: string): string;
  /** Reads a resource. @returns the result of `read`; undefined if there is none. @throws PastpaperError */
  get<Value>(path: string, read: Read<Value>): Promise<Value | undefined>;
}

export type Connection = ReturnType<typeof connect>;

/**
 * Requests resources of a service. Requests with the key follow one another, at the rate that the service allows.
 * Redirects are not followed.
 *
 * @param baseUrl scheme, host and, if the service is not at the root, a path; no trailing slash
 * @param note takes a sentence about a problem that a retry may solve
 */
export function connect(
  baseUrl: string,
  key: string | undefined,
  note: (sentence: string) => void = () => undefined,
  clock: Clock = systemClock,
) {
  const limiter = new RateLimiter(clock);
  let queue: Promise<unknown> = Promise.resolve();
  const urlOf = (path: string) => `${baseUrl}/${path}`;

  async function attempt<Value>(path: string, read: Read<Value>): Promise<Value | undefined> {
    const url = urlOf(path);
    const { status, headers, body } = await send(url, path);
    if (status === 404) return undefined;
    if (status === 200) {
      if (isJson(path)) requireJson(url, headers);
      return read(body);
    }
    if (status !== 408 && status !== 429 && status < 500)
      throw explainStatus(url, status, headers.get('location'));
    // For protected requests the rate limiter applies it to all requests together.
    const retryAfter = isProtected(path) ? 0 : readRetryAfter(headers);
    throw new RequestFailed(`status ${status}`, 'unavailable', retryAfter);
  }

  /** Sends a GET request, limited in time and size. @throws RequestFailed or PastpaperError */
  async function send(url: string, path: string) {
    const needsKey = isProtected(path);
    if (needsKey && !key)
      throw new PastpaperError(
        'key',
        `${url} requires an API key. Create one in the dashboard of the service, and set the environment ` +
          "variable API_KEY to it, or pass it: Bank.open(address, { key: '...' }).",
      );
    if (needsKey) await limiter.wait();
    const limit = isPack(path) ? timeout * packTime : timeout;
    const signal = AbortSignal.timeout(limit);
    const fields: HeadersInit = needsKey ? { Authorization: `Bearer ${key}` } : {};
    let headers: Headers | undefined;
    try {
      // Caches between here and the service may be out of date.
      const response = await fetch(url, {
        headers: fields,
        signal,
        redirect: 'manual',
        cache: 'no-cache',
      });
      headers = response.headers;
      const { status } = response;
      const isFound = status === 200;
      if (!isFound) await response.body?.cancel();
      return { status, headers, body: isFound ? await readBody(url, path, response) : noBytes };
    } catch (error) {
      if (error instanceof PastpaperError) throw error;
      if (signal.aborted)
        throw new RequestFailed(`the response took longer than ${limit / 1000} s`, 'unavailable');
      throw connectionError(url, error);
    } finally {
      if (needsKey) limiter.count(headers);
    }
  }

  async function repeat<Value>(path: string, read: Read<Value>): Promise<Value | undefined> {
    const url = urlOf(path);
    const start = clock.elapsed();
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt(path, read);
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
        const { message: reason, code, retryAfter } = error;
        if (retryAfter > longestWait)
          throw tryLater(
            `${url}: ${reason}. The service allows the next request at`,
            clock.now(),
            retryAfter,
          );
        const delay = retryAfter + jitteredDelay(attempts, clock);
        const spent = clock.elapsed() - start;
        if (attempts >= maxAttempts || spent + delay > maxAttemptTime)
          throw new PastpaperError(
            // One file may be broken at a healthy service; broken metadata is not one.
            isProtected(path) ? code : 'address',
            `${url}: ${reason}. Tried ${attempts} times in ${formatDuration(spent)}. ` +
              'Is that the address of the service, and is it up? Try again later.',
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
    get<Value>(path: string, read: Read<Value>): Promise<Value | undefined> {
      if (!isProtected(path)) return repeat(path, read);
      const result = queue.then(() => repeat(path, read));
      queue = result.catch(() => undefined);
      return result;
    },
  };
}

const noBytes = new Uint8Array();

function isPack(path: string): boolean {
  return path.endsWith('.zip');
}

/** Whether a resource requires the key, and so counts towards the limits: a pack, a paper or a diagram. */
function isProtected(path: string): boolean {
  return isPack(path) || path.split('/').length > 3;
}

/** Papers, and metadata, whose names have no dot. */
function isJson(path: string): boolean {
  return /\.json$|^[^.]*$/.test(path);
}

/** Reads a body up to a size. */
async function readBody(url: string, path: string, { body }: Response): Promise<Uint8Array> {
  const limit = isPack(path) ? maxPackSize : maxBodySize;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
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
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** A page in place of data comes from something other than a question bank: a retry does not help. */
function requireJson(url: string, headers: Headers): void {
  if (/^application\/(feed\+)?json\s*(;|$)/i.test(headers.get('content-type') ?? '')) return;
  throw new PastpaperError(
    'address',
    `${url}: the response is not JSON. Is that the address of the service? ` +
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
