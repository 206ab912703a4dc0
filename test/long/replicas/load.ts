import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';

/** A request that was made, on a clock that never goes back, in milliseconds. */
export interface Made {
  readonly sent: number;
  readonly received: number;
  /** Undefined: the connection broke. */
  readonly status: number | undefined;
  /** What went wrong, where something did. */
  readonly fault: string | undefined;
  /** What `RateLimit` says that is left of the month. */
  readonly left: number | undefined;
}

const paper = '/neet/2024/s1/physics.json';

/** Requests for a paper, one after the other by each of so many connections, until it is ended. */
export class Load {
  readonly made: Made[] = [];
  readonly #pool: Pool;
  readonly #key: string;
  readonly #workers: Promise<void>[];
  readonly #pause: number;
  #isOver = false;

  /** @param pause milliseconds from an answer to the next request of its connection */
  constructor(baseUrl: string, key: string, connections: number, pause = 0) {
    this.#pause = pause;
    this.#pool = new Pool(baseUrl, { connections, pipelining: 1, headersTimeout: 30_000 });
    this.#key = key;
    this.#workers = Array.from({ length: connections }, () => this.#work());
  }

  /** Waits until so many more requests have been answered. */
  async grow(by: number): Promise<void> {
    const before = this.made.length;
    while (this.made.length < before + by) await delay(10);
  }

  /** Waits until so many more have been accepted. */
  async growAccepted(by: number): Promise<void> {
    const before = accepted(this.made).length;
    while (accepted(this.made).length < before + by) await delay(10);
  }

  /** Lets what is under way end. */
  async end(): Promise<readonly Made[]> {
    this.#isOver = true;
    await Promise.all(this.#workers);
    await this.#pool.close();
    return this.made;
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      this.made.push(await this.#ask());
      if (this.#pause > 0) await delay(this.#pause);
    }
  }

  async #ask(): Promise<Made> {
    const sent = performance.now();
    try {
      const { statusCode, headers, body } = await this.#pool.request({
        path: paper,
        method: 'GET',
        headers: { Authorization: `Bearer ${this.#key}` },
      });
      const text = await body.text();
      const received = performance.now();
      const left = /"quota";r=(\d+)/.exec(String(headers['ratelimit']))?.[1];
      const isWhole = statusCode !== 200 || JSON.parse(text).questions.length > 0;
      return {
        sent,
        received,
        status: statusCode,
        fault: isWhole && statusCode < 500 ? undefined : `${statusCode} ${text.slice(0, 100)}`,
        left: left === undefined ? undefined : Number(left),
      };
    } catch (error) {
      const fault = String(error);
      return { sent, received: performance.now(), status: undefined, fault, left: undefined };
    }
  }
}

/** Requests that were accepted. */
export function accepted(made: readonly Made[]): Made[] {
  return made.filter(({ status }) => status === 200);
}

/** Requests that no answer of the API came to. */
export function failed(made: readonly Made[]): Made[] {
  return made.filter(({ fault }) => fault !== undefined);
}

/**
 * The most requests that were for certain accepted within one second: each was decided on after it was sent and before
 * its answer was here.
 */
export function mostInASecond(made: readonly Made[]): number {
  const all = accepted(made);
  const within = (begin: number) =>
    all.filter(({ sent, received }) => sent >= begin && received < begin + 1000).length;
  return Math.max(0, ...all.map(({ sent }) => within(sent)));
}
