import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { checkAnyResponse, checkResponse } from './check-response.ts';
import type { ModelContext } from './model.ts';
import { type Plan, packetsOf, type Send, textOf } from './plan.ts';
import { mayCloseConnection } from './request.ts';
import { type HeadResponse, type HttpResponse, InvalidResponse, ResponseReader } from './response-reader.ts';

/** Milliseconds without a byte after which a connection counts as hanging. */
const timeout = 20_000;

/** The least milliseconds that a gateway waits for the next request. */
const keepAliveTimeout = 2_000;

/** The result of a plan. */
export interface PlanResult {
  /** What went wrong, if anything. */
  readonly failure: string | undefined;
  /** Whether something took too long, which may be caused by a busy machine. */
  readonly isLate: boolean;
  readonly responses: readonly HttpResponse[];
}

/** Sends the bytes of a plan on a new connection, and checks the responses. */
export async function executePlan(plan: Plan, port: number, context: ModelContext): Promise<PlanResult> {
  const client = new ClientConnection(port);
  const failure = await follow(plan, client, context).catch((error: unknown) => {
    if (error instanceof InvalidResponse) return error.message;
    throw error;
  });
  client.destroy();
  return {
    failure,
    isLate: client.isLate || client.responses.some(({ status }) => status === 408),
    responses: client.responses,
  };
}

async function follow(
  { sends, ending }: Plan,
  client: ClientConnection,
  context: ModelContext,
): Promise<string | undefined> {
  let sent = '';
  for (const [index, send] of sends.entries()) {
    const isLast = index === sends.length - 1;
    sent += textOf(send.items);
    if (client.hasMore) return 'an unexpected response';
    await client.write(packetsOf(send));
    if (isLast && ending === 'cut') return undefined;
    const isPredicted = send.items.every(({ prediction }) => prediction);
    if (isLast && (ending === 'half-close' || !isPredicted)) {
      client.endSending();
      return followToTheEnd(send, client, context, sent);
    }
    const went = await expectAll(send, client, context);
    if (typeof went === 'string') return went;
    if (went.isLast) break;
  }
  if (ending === 'finish') client.endSending();
  if (!(await client.closed())) return 'the connection stays open';
  return client.hasMore ? 'an unexpected response' : undefined;
}

/**
 * Checks that the responses to a send are as predicted, in order.
 *
 * @returns the failure, or whether the server closes the connection, as it may after Expect and Upgrade
 */
async function expectAll(
  { items }: Send,
  client: ClientConnection,
  context: ModelContext,
): Promise<string | { readonly isLast: boolean }> {
  for (const { prediction } of items) {
    if (!prediction) continue;
    const { request } = prediction;
    const isHead = request.method === 'HEAD';
    const response = await client.next(isHead && prediction.mayBeMalformed ? 'if it was read' : isHead);
    if (!response) return client.isClosed ? 'the connection is closed without a response' : 'no response';
    const failure = checkResponse(response, prediction, context);
    if (failure !== undefined) return failure;
    if (mayCloseConnection(request) && response.fields.get('connection') === 'close') return { isLast: true };
  }
  return { isLast: false };
}

/** Checks responses until the server closes: against predictions if all requests have them, otherwise in general. */
async function followToTheEnd(
  { items }: Send,
  client: ClientConnection,
  context: ModelContext,
  sent: string,
): Promise<string | undefined> {
  for (let index = 0; ; index += 1) {
    const prediction = items.every((item) => item.prediction) ? items[index]?.prediction : undefined;
    const isHead = prediction
      ? prediction.request.method === 'HEAD'
      : sent.includes('HEAD')
        ? undefined
        : false;
    const response = await client.next(isHead);
    if (!response) break;
    const isBare = response.body.length === 0 && isHead !== false;
    const failure = prediction
      ? checkResponse(response, prediction, context)
      : checkAnyResponse(response, context, isBare, sent);
    if (failure !== undefined) return failure;
  }
  if (!client.isClosed) return 'the connection stays open';
  return client.hasMore ? 'a truncated response' : undefined;
}

/** The client side of a connection. */
class ClientConnection {
  readonly responses: HttpResponse[] = [];
  readonly #socket: Socket;
  readonly #reader = new ResponseReader();
  #isClosed = false;
  /** Whether the connection has timed out. */
  #isOver = false;
  /** The longest time without a byte in milliseconds, and the time of the last byte. */
  #longest = 0;
  #since = performance.now();
  #wake: () => void = () => {};

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setTimeout(timeout, () => {
      this.#isOver = true;
      this.#wake();
    });
    this.#socket.on('data', (bytes: Buffer) => {
      this.#note();
      this.#reader.add(bytes);
      this.#wake();
    });
    // After a reset, the missing responses are reported.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#close());
    this.#socket.on('end', () => this.#close());
  }

  /** Whether a pause was longer than a server must wait. */
  get isLate(): boolean {
    return this.#isOver || this.#longest > keepAliveTimeout;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether there are unread bytes. */
  get hasMore(): boolean {
    return this.#reader.hasRest;
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

  /**
   * The next response; undefined at the end of the connection.
   *
   * @throws InvalidResponse
   */
  async next(isHeadResponse: HeadResponse): Promise<HttpResponse | undefined> {
    for (;;) {
      const response = this.#reader.next(isHeadResponse);
      if (response) this.responses.push(response);
      if (response || this.#isClosed || this.#isOver) return response;
      await this.#change();
    }
  }

  /** Waits until the server closes the connection. @returns false on a timeout */
  async closed(): Promise<boolean> {
    while (!this.#isClosed && !this.#isOver) await this.#change();
    return this.#isClosed;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #close(): void {
    this.#note();
    this.#isClosed = true;
    this.#reader.end();
    this.#wake();
  }

  #note(): void {
    const now = performance.now();
    this.#longest = Math.max(this.#longest, now - this.#since);
    this.#since = now;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
