import { type Dispatcher, Pool } from 'undici';
import type { IntrospectionService } from '../config.ts';
import { Turns } from '../turns.ts';

/** Milliseconds that a look-up may take: waiting, connecting, the whole answer, a second attempt. */
const timeLimit = 2_000;

/** Connections to the service, and how many look-ups more may wait for one. */
const connections = 32;
const mostWaiting = 1_000;

/** Bytes. An introspection response is a few hundred; one beyond this is none. */
const longestAnswer = 64 * 1024;

/** A connection broke. The service may have closed an idle one while the request was on its way. */
const brokenConnection = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

export interface IntrospectionAnswer {
  readonly body: Uint8Array;
  /** The Date field (RFC 9110, 6.6.1). */
  readonly date: string | undefined;
}

/** Asks an authentication service over HTTP, on a bounded number of connections that are used again. */
export class IntrospectionClient {
  readonly #kept: Pool;
  /** For second attempts: another connection that was kept may be just as broken. */
  readonly #fresh: Pool;
  readonly #turns = new Turns(connections, mostWaiting);
  readonly #path: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(service: IntrospectionService) {
    const { origin, pathname, search } = new URL(service.url);
    this.#path = `${pathname}${search}`;
    this.#headers = {
      Accept: 'application/json',
      Authorization: basicCredentials(service),
      'Content-Type': 'application/x-www-form-urlencoded',
    };
    const limits = { connections, connectTimeout: timeLimit, maxResponseSize: longestAnswer };
    this.#kept = new Pool(origin, limits);
    this.#fresh = new Pool(origin, { ...limits, pipelining: 0 });
  }

  /**
   * Makes an introspection request (RFC 7662, 2.1).
   *
   * @returns the body of an answer with status 200
   * @throws Error when there is none within 2 s; the message names neither token nor secret
   */
  async introspect(token: string): Promise<Uint8Array> {
    return (await this.answerTo(token)).body;
  }

  /**
   * Does the same, and says as well when the service answered by its own clock.
   *
   * @throws as above
   */
  async answerTo(token: string): Promise<IntrospectionAnswer> {
    const end = new AbortController();
    const late = new Promise<never>((_resolve, reject) => {
      end.signal.addEventListener('abort', () => reject(end.signal.reason));
    });
    const timer = setTimeout(() => end.abort(new Error(`it took longer than ${timeLimit} ms`)), timeLimit);
    const answer = this.#inTurn(token, end.signal).finally(() => clearTimeout(timer));
    // undici heeds a signal only once the request has its connection.
    return Promise.race([answer, late]);
  }

  /** Closes the connections. Look-ups under way end without an answer. */
  async close(): Promise<void> {
    await Promise.all([this.#kept.destroy(), this.#fresh.destroy()]);
  }

  async #inTurn(token: string, signal: AbortSignal): Promise<IntrospectionAnswer> {
    await this.#turns.take(signal);
    try {
      return await this.#ask(token, signal);
    } finally {
      this.#turns.end();
    }
  }

  async #ask(token: string, signal: AbortSignal): Promise<IntrospectionAnswer> {
    const { statusCode, headers, body } = await this.#send(this.#kept, token, signal).catch((error) => {
      if (signal.aborted || !brokenConnection.has(error.code)) throw error;
      return this.#send(this.#fresh, token, signal);
    });
    if (statusCode === 200) return { body: await body.bytes(), date: headers['date']?.toString() };
    await body.dump({ limit: longestAnswer });
    if (statusCode === 401)
      throw new Error('it refuses the gateway itself (status 401): see INTROSPECTION_SECRET');
    throw new Error(`it answered with status ${statusCode}`);
  }

  async #send(pool: Pool, token: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    signal.throwIfAborted();
    return pool.request({
      method: 'POST',
      path: this.#path,
      headers: this.#headers,
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
      signal,
    });
  }
}

/** HTTP Basic as OAuth clients use it: id and secret are form-urlencoded first (RFC 6749, 2.3.1). */
function basicCredentials({ clientId, secret }: IntrospectionService): string {
  return `Basic ${Buffer.from(`${formEncoded(clientId)}:${formEncoded(secret)}`).toString('base64')}`;
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice('='.length);
}
