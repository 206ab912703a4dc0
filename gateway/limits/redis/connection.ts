import { setTimeout as delay } from 'node:timers/promises';
import { createClient, ErrorReply } from '@redis/client';
import { reasonOf } from '../../log/logger.ts';
import { RedisUnavailable } from '../store.ts';

/** Milliseconds to open a connection, including TLS, authentication and greeting. */
const openTimeout = 2000;

/** Commands that may wait for their replies. */
const maxPending = 20_000;

/**
 * Sends a command. Resolves to the reply.
 *
 * @throws RedisUnavailable when none arrives in time, and when Redis rejects it: for lack of memory, rights, or a primary
 * @throws UnknownScript
 */
export type Ask = (command: readonly string[]) => Promise<unknown>;

/** Sends the first commands over a new connection. */
type Greeting = (ask: Ask) => Promise<unknown>;

/** Redis has no script with this digest. */
export class UnknownScript extends Error {
  override readonly name = 'UnknownScript';
}

/** One connection to Redis. When it breaks, all pending commands fail, and none is sent again. */
export class Link {
  readonly #client: ReturnType<typeof clientOf>;
  readonly #timeout: number;
  readonly #end = new AbortController();
  /** Resolves to the reason when it breaks. */
  readonly ended: Promise<RedisUnavailable>;

  private constructor(url: string, timeout: number) {
    const { signal } = this.#end;
    this.#timeout = timeout;
    this.#client = clientOf(url);
    this.#client.on('error', (error) => this.close(reasonOf(error)));
    // A client that is destroyed while its socket connects would continue.
    this.#client.on('connect', () => signal.aborted && this.#client.destroy());
    this.ended = new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));
  }

  /**
   * Connects.
   *
   * @param url `redis://` or `rediss://`
   * @param timeout milliseconds that Redis has to reply
   * @param greet a connection whose greeting fails is closed
   * @throws RedisUnavailable
   */
  static async open(url: string, timeout: number, greet: Greeting): Promise<Link> {
    const link = new Link(url, timeout);
    const opened = link.#client.connect().then(() => greet(link.ask));
    const late = () => link.close(`no connection within ${openTimeout} ms`);
    try {
      await Promise.race([
        inTime(opened, openTimeout, late),
        link.ended.then((reason) => Promise.reject(reason)),
      ]);
      return link;
    } catch (error) {
      link.close(reasonOf(error));
      throw await link.ended;
    }
  }

  readonly ask: Ask = (command) => {
    const late = () => this.close(`no answer within ${this.#timeout} ms`);
    return inTime(this.#client.sendCommand(command as string[]), this.#timeout, late).catch((error) => {
      if (error instanceof ErrorReply && error.message.startsWith('NOSCRIPT')) throw new UnknownScript();
      this.close(reasonOf(error));
      throw this.#end.signal.reason;
    });
  };

  close(reason: string): void {
    this.#end.abort(new RedisUnavailable(reason));
    this.#client.destroy();
  }
}

/** Milliseconds from the end of a connection to the next attempt. */
const retryInterval = 500;

/** Is notified when Redis becomes available or unavailable. */
export interface AvailabilityListener {
  /** Redis is available, for the first time or again. */
  connected(): void;
  /** Redis is no longer available, or was not at the start; called once until it is available again. */
  disconnected(reason: string): void;
}

/** A connection to Redis that reconnects. While it is broken, commands fail at once. */
export class RedisConnection {
  readonly #url: string;
  readonly #timeout: number;
  readonly #closing = new AbortController();
  #link: Link | undefined;
  #running: Promise<void> | undefined;

  /**
   * @param url `redis://` or `rediss://`
   * @param timeout milliseconds that Redis has to reply
   */
  constructor(url: string, timeout: number) {
    this.#url = url;
    this.#timeout = timeout;
  }

  /** Resolves after the first attempt to connect; after a failure others follow until `close`. */
  open(greet: Greeting, listener: AvailabilityListener): Promise<void> {
    return new Promise((attempted) => {
      this.#running = this.#reconnect(greet, listener, attempted);
    });
  }

  /** Fails at once when there is no connection. */
  readonly ask: Ask = (command) =>
    this.#link?.ask(command) ?? Promise.reject(new RedisUnavailable('Redis cannot be reached'));

  async close(): Promise<void> {
    this.#closing.abort();
    this.#link?.close('closed');
    await this.#running;
  }

  async #reconnect(greet: Greeting, listener: AvailabilityListener, attempted: () => void): Promise<void> {
    const { signal } = this.#closing;
    let isDown = false;
    while (!signal.aborted) {
      const { message } = await this.#connect(greet, () => {
        isDown = false;
        listener.connected();
        attempted();
      });
      if (!isDown && !signal.aborted) listener.disconnected(message);
      isDown = true;
      attempted();
      await delay(retryInterval, undefined, { signal }).catch(() => {});
    }
  }

  /** Connects. Resolves to the reason why that failed, or why the connection ended. */
  async #connect(greet: Greeting, onConnect: () => void): Promise<RedisUnavailable> {
    try {
      const link = await Link.open(this.#url, this.#timeout, greet);
      this.#link = link;
      if (this.#closing.signal.aborted) link.close('closed');
      else onConnect();
      return await link.ended;
    } catch (error) {
      return error as RedisUnavailable;
    } finally {
      this.#link = undefined;
    }
  }
}

/**
 * Calls `late` if a promise does not settle in time.
 *
 * @param limit milliseconds
 * @returns the promise
 */
function inTime<Result>(promise: Promise<Result>, limit: number, late: () => void): Promise<Result> {
  let isSettled = false;
  // After a busy event loop the reply may have arrived: it is read between timers and immediates.
  const timer = setTimeout(() => setImmediate(() => isSettled || late()), limit);
  const end = () => {
    isSettled = true;
    clearTimeout(timer);
  };
  promise.then(end, end);
  return promise;
}

function clientOf(url: string) {
  return createClient({
    url,
    RESP: 2,
    socket: { connectTimeout: openTimeout, reconnectStrategy: false },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandsQueueMaxLength: maxPending,
    // The client's own timeout ends when a command is sent, and costs another timer.
    commandOptions: { timeout: 0 },
  });
}
