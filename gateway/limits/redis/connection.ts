import { setTimeout as delay } from 'node:timers/promises';
import { type Ask, type Greeting, Link } from './link.ts';
import { RedisAway } from './redis-away.ts';

/** Milliseconds from the end of a connection to the next attempt. */
const retryInterval = 500;

/** Who is told whether Redis can be asked. */
export interface Presence {
  /** It can be asked, for the first time or again. */
  came(): void;
  /** It no longer can, or cannot at the start; told once until it comes again. */
  went(reason: string): void;
}

/** Redis, as long as the process lasts: a connection that breaks is made again, and meanwhile nothing waits for it. */
export class RedisConnection {
  readonly #url: string;
  readonly #patience: number;
  readonly #closing = new AbortController();
  #link: Link | undefined;
  #running: Promise<void> | undefined;

  /**
   * @param url `redis://` or `rediss://`
   * @param patience milliseconds that Redis has for an answer
   */
  constructor(url: string, patience: number) {
    this.#url = url;
    this.#patience = patience;
  }

  /** Resolves when Redis can be asked, or when the first attempt has failed: others follow until `close`. */
  open(greet: Greeting, presence: Presence): Promise<void> {
    return new Promise((attempted) => {
      this.#running = this.#keepLinked(greet, presence, attempted);
    });
  }

  /** Fails at once when there is no connection. */
  readonly ask: Ask = (command) =>
    this.#link?.ask(command) ?? Promise.reject(new RedisAway('Redis cannot be reached'));

  async close(): Promise<void> {
    this.#closing.abort();
    this.#link?.close('closed');
    await this.#running;
  }

  async #keepLinked(greet: Greeting, presence: Presence, attempted: () => void): Promise<void> {
    const { signal } = this.#closing;
    let isAway = false;
    while (!signal.aborted) {
      const { message } = await this.#stayLinked(greet, () => {
        isAway = false;
        presence.came();
        attempted();
      });
      if (!isAway && !signal.aborted) presence.went(message);
      isAway = true;
      attempted();
      await delay(retryInterval, undefined, { signal }).catch(() => {});
    }
  }

  /** Connects, and says why that failed, or why the connection ended. */
  async #stayLinked(greet: Greeting, linked: () => void): Promise<RedisAway> {
    try {
      const link = await Link.open(this.#url, this.#patience, greet);
      this.#link = link;
      if (this.#closing.signal.aborted) link.close('closed');
      else linked();
      return await link.ended;
    } catch (error) {
      return error as RedisAway;
    } finally {
      this.#link = undefined;
    }
  }
}
