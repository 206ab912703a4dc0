import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { checkResponse } from './check-response.ts';
import { type FuzzContext, serverLimits } from './gateway-under-test.ts';
import type { Plan } from './plans.ts';
import { type HttpResponse, InvalidResponse, readBody, readHead } from './response.ts';

/** Milliseconds without a byte after which a connection counts as hanging: less than any limit on idle connections. */
const promptly = 8_000;

/** Milliseconds after which the server must have closed a connection on which the client does nothing, on a busy machine. */
export const deadline = Math.max(...Object.values(serverLimits)) + 10_000;

/** Milliseconds without a byte that may be caused by a busy machine. */
const shortest = 2_000;

/** Addresses of clients: attempts to sign in are limited by address. */
const addresses = 8;

/** Sends the bytes of a plan on a new connection, and checks the responses. */
export async function executePlan(plan: Plan, port: number, context: FuzzContext) {
  const isLasting = plan.ending === 'open';
  const client = new ClientConnection(port, isLasting ? deadline : promptly);
  const failure = await follow(plan, client, context).catch((error: unknown) => {
    if (error instanceof InvalidResponse) return error.message;
    throw error;
  });
  if (!isLasting) client.destroy();
  return {
    /** What went wrong, if anything. */
    failure,
    /** Closes the client's side, which stays open after a plan of a client that does nothing. */
    close: () => client.destroy(),
    /** Whether something took too long, which may be caused by a busy machine. */
    isLate: client.isLate || client.responses.some(({ status }) => status === 408),
    responses: client.responses,
  };
}

async function follow(
  plan: Plan,
  client: ClientConnection,
  context: FuzzContext,
): Promise<string | undefined> {
  const { sends, ending } = plan;
  let sent = '';
  let isOver = false;
  for (const [index, { packets, expected }] of sends.entries()) {
    const isLast = index === sends.length - 1;
    sent += packets.join('');
    if (client.hasMore) return 'an unexpected response';
    await client.write(packets);
    if (isLast && ending === 'cut') return undefined;
    if (isLast && ending === 'reset') {
      if (expected && expected.length > 0) await client.until(() => client.hasMore);
      client.reset();
      return undefined;
    }
    if (isLast && ending === 'half-close') client.endSending();
    // Without expectations, every response until the end of the connection is checked.
    for (let number = 0; !isOver && number < (expected?.length ?? Infinity); number += 1) {
      const one = expected?.[number];
      const unknown = sent.includes('HEAD') ? undefined : false;
      const response = await client.next(one?.isHead ? 'if it was read' : one ? false : unknown);
      if (!response && !one) break;
      if (!response)
        return client.isClosed ? 'the connection is closed without a response' : 'no response';
      const failure = checkResponse(response, one, context, sent);
      if (failure !== undefined) return failure;
      // As it says, and may after Expect and Upgrade and under /auth/.
      const mayBeLast = one?.isService === true || one?.mayBeLast === true;
      isOver = mayBeLast && response.fields.get('connection') === 'close';
    }
    if (isOver) break;
  }
  if (client.hasInterim && !/100-continue/i.test(sent)) return 'an interim response';
  if (!(await client.until(() => false))) return 'the connection stays open';
  return client.hasMore ? 'an unexpected or truncated response' : undefined;
}

/**
 * Whether a response is to a HEAD request; undefined if the following bytes must show it. If a server cannot parse the
 * target, it may not know the method yet: it then sends a body and closes the connection.
 */
type HeadResponse = boolean | 'if it was read' | undefined;

/** The client side of a connection, with a strict parser of responses (RFC 9112). */
class ClientConnection {
  readonly responses: HttpResponse[] = [];
  /** Received bytes that are not yet read. */
  #rest: Buffer = Buffer.alloc(0);
  /** Whether there was an interim response, `100 Continue` (RFC 9110, 15.2). */
  hasInterim = false;
  isClosed = false;
  /** Whether the connection has timed out. */
  #isOver = false;
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;
  /** The longest time without a byte in milliseconds, and the time of the last byte. */
  #longest = 0;
  #since = performance.now();
  #wake: () => void = () => {};

  /** @param timeout milliseconds without a byte from the server after which the connection counts as hanging */
  constructor(port: number, timeout: number) {
    const localAddress = `127.0.0.${1 + Math.floor(Math.random() * addresses)}`;
    // Only the plan closes the client's side.
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      localAddress,
      noDelay: true,
      allowHalfOpen: true,
    });
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#wake();
    }, timeout);
    const note = () => {
      const now = performance.now();
      this.#longest = Math.max(this.#longest, now - this.#since);
      this.#since = now;
      this.#wake();
    };
    const close = () => {
      if (!this.isClosed) note();
      clearTimeout(this.#timer);
      this.isClosed = true;
      this.#wake();
    };
    this.#socket.on('data', (bytes: Buffer) => {
      this.#timer.refresh();
      this.#rest = Buffer.concat([this.#rest, bytes]);
      note();
    });
    // After a reset, the missing responses are reported.
    this.#socket
      .on('error', () => {})
      .on('close', close)
      .on('end', close);
  }

  /** Whether a pause was longer than a server must wait. */
  get isLate(): boolean {
    return this.#isOver || this.#longest > shortest;
  }

  /** Whether there are unread bytes. */
  get hasMore(): boolean {
    return this.#rest.length > 0;
  }

  /** @param packets written separately, though TCP may merge them */
  async write(packets: readonly string[]): Promise<void> {
    if (this.#socket.connecting)
      await new Promise((resolve) => this.#socket.once('connect', resolve).once('close', resolve));
    for (const [index, packet] of packets.entries()) {
      if (index > 0) await turn();
      if (this.#socket.writable) this.#socket.write(packet, 'latin1');
    }
  }

  endSending(): void {
    this.#socket.end();
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#socket.destroy();
  }

  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Waits until a condition is true, or the connection is over. @returns false on a timeout */
  async until(isTrue: () => boolean): Promise<boolean> {
    while (!isTrue() && !this.isClosed && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return !this.#isOver;
  }

  /**
   * The next response; undefined at the end of the connection.
   *
   * @throws InvalidResponse
   */
  async next(isHead: HeadResponse): Promise<HttpResponse | undefined> {
    let response: HttpResponse | undefined;
    const isWhole = () => {
      response = this.#read(isHead);
      return response !== undefined;
    };
    await this.until(isWhole);
    if (!response) isWhole();
    if (response) this.responses.push(response);
    return response;
  }

  /** Reads the next final response; undefined while it is incomplete. */
  #read(isHead: HeadResponse): HttpResponse | undefined {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) {
      if (!'HTTP/1.'.startsWith(this.#rest.toString('latin1', 0, 7)))
        throw new InvalidResponse('bytes that do not start a response');
      return undefined;
    }
    const { status, fields } = readHead(this.#rest.toString('latin1', 0, end));
    const following = this.#rest.subarray(end + 4);
    if (status === 100) {
      this.hasInterim = true;
      this.#rest = following;
      return this.#read(isHead);
    }
    const follows =
      following.length === 0
        ? this.isClosed
        : 'HTTP/'.startsWith(following.toString('latin1', 0, 5));
    const wasRead = isHead === 'if it was read' && fields.get('connection') !== 'close';
    const isBare = typeof isHead === 'boolean' ? isHead : wasRead || follows;
    const framed =
      isBare || status === 204 || status === 304
        ? { body: Buffer.alloc(0), length: 0 }
        : readBody(fields, following, this.isClosed);
    if (!framed) return undefined;
    this.#rest = following.subarray(framed.length);
    return { status, fields, body: framed.body, isHead: isBare };
  }
}
