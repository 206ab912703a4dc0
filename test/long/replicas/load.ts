import { setTimeout as delay } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { waitUntil } from '../../wait-until.ts';

/** A finished request. Times are in milliseconds of a monotonic clock. */
export interface LoadRequest {
  readonly sent: number;
  readonly received: number;
  /** Undefined if the connection broke. */
  readonly status: number | undefined;
  /** Why the request failed, if it did. */
  readonly error: string | undefined;
  /** The remaining monthly quota, from the `RateLimit` field. */
  readonly remaining: number | undefined;
}

/** A request of a load. */
type LoadOptions = Pick<Dispatcher.RequestOptions, 'path' | 'method' | 'headers' | 'body'>;

/** Returns a function that makes sign-ins with wrong passwords, of 100 users from a number of addresses. */
export function wrongSignIns(addresses: number): () => LoadOptions {
  let made = 0;
  return () => {
    made += 1;
    const body = JSON.stringify({
      email: `user${made % 100}@example.org`,
      password: 'not the right one',
    });
    const address = `10.0.${(made % addresses) >> 8}.${(made % addresses) & 255}`;
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': address };
    return { path: '/auth/sign-in/email', method: 'POST', headers, body };
  };
}

/**
 * Requests a paper, or something else, on a number of connections, one request after the other on each, until `end` is
 * called.
 */
export class Load {
  readonly requests: LoadRequest[] = [];
  readonly #pool: Pool;
  readonly #next: () => LoadOptions;
  readonly #workers: Promise<void>[];
  readonly #pause: number;
  #isOver = false;

  /**
   * @param keyOrNext a key for the paper, or a function that makes requests
   * @param pause milliseconds between a response and the next request on its connection
   */
  constructor(
    baseUrl: string,
    keyOrNext: string | (() => LoadOptions),
    connections: number,
    pause = 0,
  ) {
    this.#pause = pause;
    this.#pool = new Pool(baseUrl, { connections, pipelining: 1, headersTimeout: 30_000 });
    const headers = { Authorization: `Bearer ${keyOrNext}` };
    const paper = { path: '/neet/2024/s1/physics.json', method: 'GET', headers } as const;
    this.#next = typeof keyOrNext === 'string' ? () => paper : keyOrNext;
    this.#workers = Array.from({ length: connections }, () => this.#work());
  }

  /** Waits until this many more requests have finished. */
  waitForRequests(count: number): Promise<void> {
    const before = this.requests.length;
    return waitUntil(() => this.requests.length >= before + count);
  }

  /** Waits until this many more requests have been accepted. */
  waitForAccepted(count: number): Promise<void> {
    const before = accepted(this.requests).length;
    return waitUntil(() => accepted(this.requests).length >= before + count);
  }

  /** Waits for pending requests, and returns all requests. */
  async end(): Promise<readonly LoadRequest[]> {
    this.#isOver = true;
    await Promise.all(this.#workers);
    await this.#pool.close();
    return this.requests;
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      this.requests.push(await this.#request());
      if (this.#pause > 0) await delay(this.#pause);
    }
  }

  async #request(): Promise<LoadRequest> {
    const sent = performance.now();
    try {
      const { statusCode, headers, body } = await this.#pool.request(this.#next());
      const text = await body.text();
      const received = performance.now();
      const remaining = /"quota";r=(\d+)/.exec(String(headers['ratelimit']))?.[1];
      const isWhole = statusCode !== 200 || JSON.parse(text).questions.length > 0;
      return {
        sent,
        received,
        status: statusCode,
        error: isWhole && statusCode < 500 ? undefined : `${statusCode} ${text.slice(0, 100)}`,
        remaining: remaining === undefined ? undefined : Number(remaining),
      };
    } catch (cause) {
      const error = String(cause);
      return { sent, received: performance.now(), status: undefined, error, remaining: undefined };
    }
  }
}

/** The requests with status 200. */
export function accepted(requests: readonly LoadRequest[]): LoadRequest[] {
  return requests.filter(({ status }) => status === 200);
}

/** The requests without a complete response, or with a 5xx status. */
export function failed(requests: readonly LoadRequest[]): LoadRequest[] {
  return requests.filter(({ error }) => error !== undefined);
}

/** The largest number of requests that were certainly accepted within one second. */
export function maxPerSecond(requests: readonly LoadRequest[]): number {
  return mostWithinSecond(accepted(requests));
}

/**
 * The largest number of decisions that were certainly made within one second: each was made between the times when its
 * request was sent and when its response was received.
 */
export function mostWithinSecond(
  decisions: readonly Pick<LoadRequest, 'sent' | 'received'>[],
): number {
  const within = (begin: number) =>
    decisions.filter(({ sent, received }) => sent >= begin && received < begin + 1000).length;
  return Math.max(0, ...decisions.map(({ sent }) => within(sent)));
}
