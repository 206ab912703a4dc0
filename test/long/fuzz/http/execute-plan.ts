import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { TimeLimits } from '../../../../gateway/server.ts';
import { checkAnyResponse, checkResponse } from './check-response.ts';
import type { ModelContext, Prediction } from './model.ts';
import { mayCloseConnection, type Plan, packetsOf, type Send, textOf } from './request.ts';
import { type HeadResponse, type HttpResponse, InvalidResponse, ResponseReader } from './response-reader.ts';

/** The time limits of the gateway. A client that keeps a connection open waits for them. */
export const timeLimits: TimeLimits = {
  header: 4_000,
  request: 6_000,
  checkInterval: 500,
  idle: 10_000,
  stalled: 12_000,
  response: 15_000,
};

/** Milliseconds without a byte after which a connection counts as hanging: less than any limit on idle connections. */
const promptly = 8_000;

/** Milliseconds after which the server must have closed a connection on which the client does nothing, on a busy machine. */
export const deadline = Math.max(...Object.values(timeLimits)) + 10_000;

/** Milliseconds without a byte that may be caused by a busy machine. */
const shortest = 2_000;

/** Milliseconds between two bytes of a slow client. */
const slowInterval = 500;

/** Addresses of clients: attempts to sign in are limited by address. */
const addresses = 8;

/** The result of a plan. */
export interface PlanResult {
  /** What went wrong, if anything. */
  readonly failure: string | undefined;
  /** Whether something took too long, which may be caused by a busy machine. */
  readonly isLate: boolean;
  readonly responses: readonly HttpResponse[];
  /** Closes the client's side, which stays open after a plan that ends with `open`. */
  close(): void;
}

/** Sends the bytes of a plan on a new connection, and checks the responses. */
export async function executePlan(plan: Plan, port: number, context: ModelContext): Promise<PlanResult> {
  const client = new ClientConnection(port, plan.ending === 'open' ? deadline : promptly);
  const failure = await follow(plan, client, context).catch((error: unknown) => {
    if (error instanceof InvalidResponse) return error.message;
    throw error;
  });
  if (plan.ending !== 'open') client.destroy();
  return {
    failure,
    close: () => client.destroy(),
    isLate: client.isLate || client.responses.some(({ status }) => status === 408),
    responses: client.responses,
  };
}

async function follow(
  { sends, ending, read = 0, slow = '' }: Plan,
  client: ClientConnection,
  context: ModelContext,
): Promise<string | undefined> {
  let sent = '';
  for (const [index, send] of sends.entries()) {
    const isLast = index === sends.length - 1;
    sent += textOf(send.items);
    if (client.hasMore) return 'an unexpected response';
    await client.write(packetsOf(send));
    if (isLast && (ending === 'cut' || ending === 'reset')) {
      if (send.items.length > 0) await client.received(read);
      if (ending === 'reset') client.reset();
      return undefined;
    }
    const isPredicted = send.items.every(({ prediction }) => prediction);
    if (isLast && (ending === 'half-close' || !isPredicted)) {
      if (ending === 'open') client.writeSlowly(slow);
      else client.endSending();
      return followToTheEnd(send, client, context, sent + slow);
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
 * @returns the failure, or whether the server closes the connection, as it may after Expect and Upgrade and under /auth/
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
    if (mayClose(prediction, response)) return { isLast: true };
  }
  return { isLast: false };
}

/** Whether the server closes the connection after a response, as it says, and may. */
function mayClose({ kind, request }: Prediction, { fields }: HttpResponse): boolean {
  return fields.get('connection') === 'close' && (kind === 'service' || mayCloseConnection(request));
}

/** Checks responses until the server closes: against predictions if all requests have them, otherwise in general. */
async function followToTheEnd(
  { items }: Send,
  client: ClientConnection,
  context: ModelContext,
  sent: string,
): Promise<string | undefined> {
  const predictions = items.flatMap(({ prediction }) => prediction ?? []);
  const areAllPredicted = predictions.length === items.length;
  for (let index = 0; ; index += 1) {
    const prediction = areAllPredicted ? predictions[index] : undefined;
    const isHead = prediction ? prediction.request.method === 'HEAD' : sent.includes('HEAD') ? undefined : false;
    const response = await client.next(isHead);
    if (!response) {
      if (prediction && client.isClosed) return 'the connection is closed without a response';
      break;
    }
    const isBare = response.body.length === 0 && isHead !== false;
    const failure = prediction
      ? checkResponse(response, prediction, context)
      : checkAnyResponse(response, context, isBare, sent);
    if (failure !== undefined) return failure;
    if (prediction && mayClose(prediction, response)) break;
  }
  if (client.hasInterim && !/100-continue/i.test(sent)) return 'an interim response';
  if (!(await client.closed())) return 'the connection stays open';
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
  readonly #timer: NodeJS.Timeout;
  #received = 0;
  /** The longest time without a byte in milliseconds, and the time of the last byte. */
  #longest = 0;
  #since = performance.now();
  #wake: () => void = () => {};

  /** @param timeout milliseconds without a byte from the server after which the connection counts as hanging */
  constructor(port: number, timeout: number) {
    const localAddress = `127.0.0.${1 + Math.floor(Math.random() * addresses)}`;
    // Only the plan closes the client's side.
    this.#socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true, allowHalfOpen: true });
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#wake();
    }, timeout);
    this.#socket.on('data', (bytes: Buffer) => {
      this.#note();
      this.#timer.refresh();
      this.#received += bytes.length;
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
    return this.#isOver || this.#longest > shortest;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether there are unread bytes. */
  get hasMore(): boolean {
    return this.#reader.hasRest;
  }

  get hasInterim(): boolean {
    return this.#reader.hasInterim;
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

  /** Writes byte by byte, until the server closes the connection. */
  writeSlowly(bytes: string): void {
    let sent = 0;
    const timer = setInterval(() => {
      if (sent === bytes.length || this.#isClosed) return clearInterval(timer);
      this.#socket.write(bytes.charAt(sent), 'latin1');
      sent += 1;
    }, slowInterval);
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

  /** Waits until this many bytes have arrived, or the connection is over. */
  async received(count: number): Promise<void> {
    while (this.#received < count && !this.#isClosed && !this.#isOver) await this.#change();
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#socket.destroy();
  }

  reset(): void {
    this.#socket.resetAndDestroy();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#note();
    clearTimeout(this.#timer);
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
