import { setTimeout as delay } from 'node:timers/promises';
import { createClient, ErrorReply } from '@redis/client';
import { reasonOf } from '../../log/logger.ts';
import { RedisUnavailable } from '../store.ts';
import { addressOf } from './address.ts';

/** Milliseconds to open a connection, including TLS, authentication and greeting. */
const openTimeout = 2000;

/** Commands that may wait for their replies. */
const maxPending = 20_000;

/**
 * Sends a command. Resolves to the reply.
 *
 * @throws RedisUnavailable when none arrives in time, and when Redis rejects it: for lack of memory, rights, or a primary
 * @throws Redirection by a node of a cluster, whose connection stays open
 * @throws UnknownScript
 */
export type Ask = (command: readonly string[]) => Promise<unknown>;

/** Sends the first commands over a new connection. */
type Greeting = (ask: Ask) => Promise<unknown>;

/** A cluster serves the slot of a key elsewhere, or moves it at the moment. The command had no effect. */
export class Redirection extends RedisUnavailable {
  readonly kind: 'MOVED' | 'ASK' | 'TRYAGAIN';
  /** Where the slot is: `HOST:PORT`; empty for TRYAGAIN. */
  readonly address: string;

  constructor(message: string) {
    super(message);
    // "MOVED 3999 127.0.0.1:6381", "TRYAGAIN Multiple keys request during rehashing of slot"
    const [, kind, host = '', port] = /^(MOVED|ASK) \d+ (.*):(\d+)$/.exec(message) ?? [];
    this.kind = (kind as 'MOVED' | 'ASK' | undefined) ?? 'TRYAGAIN';
    this.address = port === undefined ? '' : addressOf(host, port);
  }
}

/**
 * The last one is thrown by take.lua where it has removed the last recent moment, which it has not counted yet: the key is
 * then missing at the node that the slot is moved from.
 */
const redirections = /^(MOVED|ASK|TRYAGAIN) |attempted to access a non local key in a cluster/;

/** Redis has no script with this digest. */
export class UnknownScript extends Error {
  override readonly name = 'UnknownScript';
}

interface LinkOptions {
  /** Milliseconds to open the connection. */
  readonly within?: number;
  /** Whether `ask` throws redirections; otherwise they break the connection. */
  readonly isClusterNode?: boolean;
}

/** One connection to Redis. When it breaks, all pending commands fail, and none is sent again. */
export class Link {
  readonly #client: ReturnType<typeof clientOf>;
  readonly #timeout: number;
  readonly #end = new AbortController();
  readonly #isClusterNode: boolean;
  /** Resolves to the reason when it breaks. */
  readonly ended: Promise<RedisUnavailable>;

  private constructor(url: string, timeout: number, isClusterNode: boolean) {
    const { signal } = this.#end;
    this.#timeout = timeout;
    this.#isClusterNode = isClusterNode;
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
  static async open(
    url: string,
    timeout: number,
    greet: Greeting,
    { within = openTimeout, isClusterNode = false }: LinkOptions = {},
  ): Promise<Link> {
    const link = new Link(url, timeout, isClusterNode);
    const opened = link.#client.connect().then(() => greet(link.ask));
    const late = () => link.close(`no connection within ${within} ms`);
    try {
      await Promise.race([inTime(opened, within, late), link.ended.then((reason) => Promise.reject(reason))]);
      return link;
    } catch (error) {
      link.close(reasonOf(error));
      throw await link.ended;
    }
  }

  readonly ask: Ask = (command) => {
    const late = () => this.close(`no reply within ${this.#timeout} ms`);
    return inTime(this.#client.sendCommand(command as string[]), this.#timeout, late).catch((error) => {
      if (error instanceof ErrorReply) {
        if (error.message.startsWith('NOSCRIPT')) throw new UnknownScript();
        const isRedirection = redirections.test(error.message);
        if (isRedirection && this.#isClusterNode) throw new Redirection(error.message);
        if (isRedirection) this.close('it is a node of Redis Cluster: write redis+cluster:// in REDIS_URL');
      }
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

/**
 * Finds the primary: its `redis://` or `rediss://` URL.
 *
 * @throws RedisUnavailable
 */
export type FindPrimary = () => Promise<string>;

interface ConnectionOptions extends Pick<LinkOptions, 'isClusterNode'> {
  /** Milliseconds between checks whether another server has become the primary; by default there are none. */
  readonly checkInterval?: number;
}

/** A connection to the primary that reconnects. While it is broken, commands fail at once. */
export class RedisConnection {
  readonly #find: FindPrimary;
  readonly #timeout: number;
  readonly #options: ConnectionOptions;
  readonly #closing = new AbortController();
  #link: Link | undefined;
  #url = '';
  #hasMoved = false;
  #running: Promise<void> | undefined;

  /**
   * @param find is called before each attempt to connect
   * @param timeout milliseconds that Redis has to reply
   */
  constructor(find: FindPrimary, timeout: number, options: ConnectionOptions = {}) {
    this.#find = find;
    this.#timeout = timeout;
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#link !== undefined;
  }

  /** Resolves after the first attempt to connect; after a failure others follow until `close`. */
  open(greet: Greeting, listener: AvailabilityListener): Promise<void> {
    return new Promise((attempted) => {
      this.#running = this.#reconnect(greet, listener, attempted);
    });
  }

  /** Fails at once when there is no connection. */
  readonly ask: Ask = (command) =>
    this.#link?.ask(command) ?? Promise.reject(new RedisUnavailable('Redis is unavailable'));

  /** Reconnects at once if the primary is elsewhere now. */
  follow(url: string): void {
    if (!this.#link || url === this.#url) return;
    this.#hasMoved = true;
    this.#link.close(`the primary is now ${new URL(url).host}`);
  }

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
      if (!this.#hasMoved) await delay(retryInterval, undefined, { signal }).catch(() => {});
      this.#hasMoved = false;
    }
  }

  /** Finds the primary again and again, while a connection is open: an isolated one does not know that it is none any more. */
  async #check(link: Link): Promise<void> {
    const { checkInterval } = this.#options;
    if (checkInterval === undefined) return;
    const { signal } = this.#closing;
    while (this.#link === link && !signal.aborted) {
      await delay(checkInterval, undefined, { signal, ref: false }).catch(() => {});
      const url = await this.#find().catch(() => this.#url);
      if (this.#link === link) this.follow(url);
    }
  }

  /** Connects. Resolves to the reason why that failed, or why the connection ended. */
  async #connect(greet: Greeting, onConnect: () => void): Promise<RedisUnavailable> {
    try {
      const url = await this.#find();
      const link = await Link.open(url, this.#timeout, greet, this.#options);
      this.#url = url;
      this.#link = link;
      if (this.#closing.signal.aborted) link.close('closed');
      else onConnect();
      void this.#check(link);
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
export function inTime<Result>(promise: Promise<Result>, limit: number, late: () => void): Promise<Result> {
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
