import { createClient, ErrorReply } from '@redis/client';
import { RedisAway } from './redis-away.ts';

/** Milliseconds within which a connection has to be there, with its TLS, its password and its greeting. */
const openingTime = 2000;

/** Commands that may wait for their answers: what they take is bounded. */
const mostWaiting = 20_000;

/**
 * Sends a command, and resolves to Redis's answer as it came.
 *
 * @throws RedisAway when none comes in time, and when Redis refuses: for want of memory, rights, or a primary
 * @throws UnknownScript
 */
export type Ask = (command: readonly string[]) => Promise<unknown>;

/** What is asked over a new connection before anything else. */
export type Greeting = (ask: Ask) => Promise<unknown>;

/** Redis has no script of the digest that it was given. */
export class UnknownScript extends Error {
  override readonly name = 'UnknownScript';
}

/** One connection to Redis. When it breaks, every command that waits fails, and none is sent again. */
export class Link {
  readonly #client: ReturnType<typeof clientOf>;
  readonly #patience: number;
  readonly #over = new AbortController();
  /** Resolves when it breaks, and says why. */
  readonly ended: Promise<RedisAway>;

  private constructor(url: string, patience: number) {
    const { signal } = this.#over;
    this.#patience = patience;
    this.#client = clientOf(url);
    this.#client.on('error', (error) => this.close(reasonOf(error)));
    // A client that is destroyed while its socket connects goes on with it.
    this.#client.on('connect', () => signal.aborted && this.#client.destroy());
    this.ended = new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));
  }

  /**
   * Connects.
   *
   * @param url `redis://` or `rediss://`
   * @param patience milliseconds that Redis has for an answer
   * @param greet what is asked first; a connection whose greeting fails is given up
   * @throws RedisAway
   */
  static async open(url: string, patience: number, greet: Greeting): Promise<Link> {
    const link = new Link(url, patience);
    const opened = link.#client.connect().then(() => greet(link.ask));
    const late = () => link.close(`no connection within ${openingTime} ms`);
    try {
      await Promise.race([
        inTime(opened, openingTime, late),
        link.ended.then((reason) => Promise.reject(reason)),
      ]);
      return link;
    } catch (error) {
      link.close(reasonOf(error));
      throw await link.ended;
    }
  }

  readonly ask: Ask = (command) => {
    const late = () => this.close(`no answer within ${this.#patience} ms`);
    return inTime(this.#client.sendCommand(command as string[]), this.#patience, late).catch((error) => {
      if (error instanceof ErrorReply && error.message.startsWith('NOSCRIPT')) throw new UnknownScript();
      this.close(reasonOf(error));
      throw this.#over.signal.reason;
    });
  };

  close(reason: string): void {
    this.#over.abort(new RedisAway(reason));
    this.#client.destroy();
  }
}

/**
 * Calls `late` when something has not ended within so many milliseconds.
 *
 * @returns what was given
 */
function inTime<Result>(promise: Promise<Result>, limit: number, late: () => void): Promise<Result> {
  let hasEnded = false;
  // After a busy turn the answer may have arrived: it is read between timers and immediates.
  const timer = setTimeout(() => setImmediate(() => hasEnded || late()), limit);
  const end = () => {
    hasEnded = true;
    clearTimeout(timer);
  };
  promise.then(end, end);
  return promise;
}

function clientOf(url: string) {
  return createClient({
    url,
    RESP: 2,
    socket: { connectTimeout: openingTime, reconnectStrategy: false },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandsQueueMaxLength: mostWaiting,
    // Theirs is over when a command is sent, and costs a timer of its own.
    commandOptions: { timeout: 0 },
  });
}

/** Where a name has several addresses and none answers, the error has no message of its own. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || 'no reason was given';
}
