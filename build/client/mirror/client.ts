import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { retryDelay } from '../../release/waits.ts';
import { formatDuration } from '../../report/wording.ts';
import {
  connectionError,
  explainStatus,
  FileFailed,
  PullStopped,
  RequestFailed,
  tryLater,
} from './errors.ts';
import {
  type Clock,
  type Fields,
  longestWait,
  type RateLimiter,
  readRetryAfter,
} from './rate-limit.ts';

/*
 * undici's own interceptors do not fit: `retry` continues a broken body with a range request, which the service does
 * not support, and cannot retry a body that is damaged; `decompress` prints an ExperimentalWarning, and passes on
 * bodies in codings that it does not support.
 */
const decoders = new Map([
  ['br', promisify(brotliDecompress)],
  ['gzip', promisify(gunzip)],
]);

/** Bytes of a body, compressed and decompressed. Papers have some hundred thousand, diagrams rarely a million. */
const maxBodySize = 32 * 1024 * 1024;

/** Bytes of an error's body that are read so that its connection can be reused. */
const maxErrorSize = 64 * 1024;

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

export interface ClientSettings {
  /** Scheme, host and, if the service is not at the root, a path; no trailing slash. */
  readonly baseUrl: string;
  readonly proxy: ProxySettings;
  readonly key: string;
  readonly clock: Clock;
  /** Milliseconds from a request to the last byte of its response. */
  readonly timeout: number;
  /** Takes a sentence about a problem that a retry may solve. */
  readonly note: (sentence: string) => void;
}

/** The forward proxy of requests, if there is one. */
export interface ProxySettings {
  /** Address of the proxy; empty: none. */
  readonly proxy: string;
  /** Hosts that are requested directly, as NO_PROXY lists them. */
  readonly noProxy: string;
}

interface ResourceRequest {
  /** Below the base address, without a leading slash. */
  readonly path: string;
  /** Whether it requires the key, and so counts towards the limits. */
  readonly isProtected: boolean;
  /** The ETag of the local file. */
  readonly etag?: string | undefined;
}

/** A response with status 200. */
export interface Found {
  readonly url: string;
  readonly fields: Fields;
  /** Decompressed. */
  readonly body: Buffer;
}

export type Client = ReturnType<typeof openClient>;

/**
 * Requests resources within the rate limits, and retries failed requests. Redirects are not followed.
 *
 * @param signal ends all waiting, and aborts the requests in flight
 */
export function openClient(settings: ClientSettings, limiter: RateLimiter, signal: AbortSignal) {
  const { baseUrl, clock, key, note, timeout } = settings;
  const { proxy, noProxy } = settings.proxy;
  // All three are given so that the agent does not read the environment itself.
  const proxies = { httpProxy: proxy, httpsProxy: proxy, noProxy };
  const agent = new EnvHttpProxyAgent({
    ...proxies,
    connections: concurrency,
    maxResponseSize: maxBodySize,
  });
  /** Since the last request that succeeded. */
  let failures = 0;
  /** The full address of a path. */
  const urlOf = (path: string) => `${baseUrl}/${path}`;

  /** One or two broken files are possible at a healthy service; broken metadata, or more files in a row, are not. */
  function givenUp({ isProtected }: ResourceRequest, sentence: string): Error {
    failures += 1;
    if (isProtected && failures < maxFailures) return new FileFailed(sentence);
    return new PullStopped(
      `${sentence} Is that the address of the service, and is it up? Try again later.`,
    );
  }

  async function attempt<Value>(
    url: string,
    { isProtected, etag }: ResourceRequest,
    read: (found: Found) => Value,
  ) {
    const { status, fields, body } = isProtected
      ? await sendLimited(url, etag)
      : // Caches between here and the service may be out of date.
        await send(url, { 'Cache-Control': 'no-cache' });
    if (status === 200) return read({ url, body, fields });
    if (status === 304 && etag !== undefined) return 'unchanged';
    if (status === 404) return 'missing';
    if (status !== 408 && status !== 429 && status < 500)
      throw new PullStopped(explainStatus(url, status, fields['location']));
    // For protected requests the rate limiter applies it to all requests together.
    const retryAfter = isProtected ? undefined : readRetryAfter(fields, clock.now());
    throw new RequestFailed(`status ${status}`, retryAfter);
  }

  /** Sends a request that requires the key, when the rate limits allow it. */
  async function sendLimited(url: string, etag: string | undefined) {
    await limiter.acquire(signal);
    let fields: Fields | undefined;
    try {
      const condition = etag === undefined ? {} : { 'If-None-Match': etag };
      const received = await send(url, { Authorization: `Bearer ${key}`, ...condition });
      fields = received.fields;
      return received;
    } finally {
      limiter.release(fields);
    }
  }

  /** Sends a GET request, limited in time and size. @throws RequestFailed, PullStopped, or the signal's reason */
  async function send(url: string, headers: Readonly<Record<string, string>>) {
    const late = AbortSignal.timeout(timeout);
    try {
      const response = await agent.request({
        origin: new URL(url).origin,
        path: new URL(url).pathname,
        method: 'GET',
        headers: { 'User-Agent': 'pastpaper-pull', 'Accept-Encoding': 'br, gzip', ...headers },
        signal: AbortSignal.any([signal, late]),
      });
      return {
        status: response.statusCode,
        fields: response.headers,
        body: await readBody(response),
      };
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted)
        throw new RequestFailed(`the response took longer than ${timeout / 1000} s`);
      throw connectionError(url, error);
    }
  }

  return {
    urlOf,

    /**
     * Gets one resource. Connection errors, 408, 429 and 5xx are retried with exponential backoff, as are responses that
     * `read` finds damaged.
     *
     * @param read turns a response into what the caller needs; throws RequestFailed
     * @returns the result of `read`; `unchanged` when the ETag still matches, `missing` for 404
     * @throws FileFailed when retries do not help; PullStopped when other requests would fail too
     */
    async get<Value>(
      request: ResourceRequest,
      read: (found: Found) => Value,
    ): Promise<Value | 'unchanged' | 'missing'> {
      const url = urlOf(request.path);
      const start = clock.elapsed();
      for (let attempts = 1; ; attempts += 1) {
        try {
          const value = await attempt(url, request, read);
          failures = 0;
          return value;
        } catch (error) {
          if (!(error instanceof RequestFailed)) throw error;
          const { message: reason, retryAfter } = error;
          if (retryAfter > longestWait)
            throw tryLater(
              `${url}: ${reason}. The service allows the next request at`,
              clock.now(),
              retryAfter,
            );
          const delay = retryAfter + jitteredDelay(attempts + 1, clock.random);
          const spent = clock.elapsed() - start;
          if (attempts >= maxAttempts || spent + delay > maxAttemptTime)
            throw givenUp(
              request,
              `${url}: ${reason}. Tried ${attempts} times in ${formatDuration(spent)}.`,
            );
          note(
            `${url}: ${reason}. Attempt ${attempts + 1} of ${maxAttempts} in ${formatDuration(delay)}.`,
          );
          await clock.sleep(delay, signal);
        }
      }
    },

    /** Closes the connections. */
    close: () => agent.destroy(),
  };
}

/** The decompressed body; empty for every status but 200. */
async function readBody({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Buffer> {
  if (statusCode !== 200) {
    await body.dump({ limit: maxErrorSize });
    return Buffer.alloc(0);
  }
  const bytes = Buffer.from(await body.arrayBuffer());
  const coding = headers['content-encoding'];
  if (coding === undefined || coding === 'identity') return bytes;
  const decode = decoders.get(String(coding));
  if (!decode) throw new RequestFailed('the response has a content coding that was not requested');
  return decode(bytes, { maxOutputLength: maxBodySize });
}

/**
 * The milliseconds before an attempt: exponential backoff with full jitter, so that clients that failed together do not
 * retry together.
 *
 * @param attempt from 2 on
 */
export function jitteredDelay(attempt: number, random: () => number): number {
  return random() * retryDelay(attempt - 1, firstBound, largestBound);
}
