import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type Answer, AnswerReader, NoAnswer, type ToHead } from './answer-reader.ts';
import { faultOf, faultOfAny } from './judge.ts';
import type { Known } from './model.ts';
import { type Plan, packetsOf, type Send, textOf } from './plan.ts';
import { asksBeside } from './request.ts';

/** Milliseconds without a byte after which a connection that has to go on counts as one that hangs. */
const patience = 20_000;

/** Milliseconds between two answers that a gateway waits for the next request for, at least. */
const keptAlive = 2_000;

/** How a connection went. */
export interface Played {
  /** A sentence on what went wrong; undefined: nothing. */
  readonly fault: string | undefined;
  /** Whether it only took too long, here or there: both processes may have been held up by the machine. */
  readonly isLate: boolean;
  readonly answers: readonly Answer[];
}

/** Sends what a plan says by a new connection, and holds what is answered against it. */
export async function play(plan: Plan, port: number, known: Known): Promise<Played> {
  const peer = new Peer(port);
  const fault = await follow(plan, peer, known).catch((error: unknown) => {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  });
  peer.destroy();
  return {
    fault,
    isLate: peer.isLate || peer.answers.some(({ status }) => status === 408),
    answers: peer.answers,
  };
}

async function follow({ sends, ending }: Plan, peer: Peer, known: Known): Promise<string | undefined> {
  let sent = '';
  for (const [index, send] of sends.entries()) {
    const isLast = index === sends.length - 1;
    sent += textOf(send.items);
    if (peer.hasMore) return 'an answer that nobody asked for';
    await peer.write(packetsOf(send));
    if (isLast && ending === 'cut') return undefined;
    const isPredicted = send.items.every(({ prediction }) => prediction);
    if (isLast && (ending === 'half-close' || !isPredicted)) {
      peer.sendNoMore();
      return followToTheEnd(send, peer, known, sent);
    }
    const went = await expectAll(send, peer, known);
    if (typeof went === 'string') return went;
    if (went.isLast) break;
  }
  if (ending === 'finish') peer.sendNoMore();
  if (!(await peer.closed())) return 'the connection stays open';
  return peer.hasMore ? 'an answer that nobody asked for' : undefined;
}

/**
 * Every request of a send is answered, in order, as it was predicted.
 *
 * @returns the fault; or whether the server said that it takes no more: it may where it was asked whether it wants a
 * body at all, or another protocol
 */
async function expectAll(
  { items }: Send,
  peer: Peer,
  known: Known,
): Promise<string | { readonly isLast: boolean }> {
  for (const { prediction } of items) {
    if (!prediction) continue;
    const { request } = prediction;
    const isHead = request.method === 'HEAD';
    const answer = await peer.next(isHead && prediction.mayBeMalformed ? 'if it was read' : isHead);
    if (!answer) return peer.isClosed ? 'the connection is closed without an answer' : 'no answer comes';
    const fault = faultOf(answer, prediction, known);
    if (fault !== undefined) return fault;
    if (asksBeside(request) && answer.fields.get('connection') === 'close') return { isLast: true };
  }
  return { isLast: false };
}

/** What comes until the server closes: as far as requests are known in their order, else right in itself. */
async function followToTheEnd(
  { items }: Send,
  peer: Peer,
  known: Known,
  sent: string,
): Promise<string | undefined> {
  for (let index = 0; ; index += 1) {
    const prediction = items.every((item) => item.prediction) ? items[index]?.prediction : undefined;
    const isHead = prediction
      ? prediction.request.method === 'HEAD'
      : sent.includes('HEAD')
        ? undefined
        : false;
    const answer = await peer.next(isHead);
    if (!answer) break;
    const isBare = answer.body.length === 0 && isHead !== false;
    const fault = prediction ? faultOf(answer, prediction, known) : faultOfAny(answer, known, isBare, sent);
    if (fault !== undefined) return fault;
  }
  if (!peer.isClosed) return 'the connection stays open';
  return peer.hasMore ? 'an answer that is cut off' : undefined;
}

/** The client's end of a connection. */
class Peer {
  readonly answers: Answer[] = [];
  readonly #socket: Socket;
  readonly #reader = new AnswerReader();
  #isClosed = false;
  /** No byte for longer than anyone waits. */
  #isOver = false;
  /** Milliseconds without a byte, at the most, and since when there are none. */
  #longest = 0;
  #since = performance.now();
  #wake: () => void = () => {};

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setTimeout(patience, () => {
      this.#isOver = true;
      this.#wake();
    });
    this.#socket.on('data', (bytes: Buffer) => {
      this.#note();
      this.#reader.add(bytes);
      this.#wake();
    });
    // A reset is told by what is missing then.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#close());
    this.#socket.on('end', () => this.#close());
  }

  /** Whether it took longer than a server need wait. */
  get isLate(): boolean {
    return this.#isOver || this.#longest > keptAlive;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether bytes have come that were not read. */
  get hasMore(): boolean {
    return this.#reader.hasRest;
  }

  /** @param packets each goes by itself, as far as that can be said of TCP */
  async write(packets: readonly string[]): Promise<void> {
    if (this.#socket.connecting)
      await new Promise((resolve) => this.#socket.once('connect', resolve).once('close', resolve));
    for (const [index, packet] of packets.entries()) {
      if (index > 0) await turn();
      if (this.#socket.writable) this.#socket.write(packet, 'latin1');
    }
  }

  sendNoMore(): void {
    this.#socket.end();
  }

  /**
   * The next answer; undefined when none comes any more.
   *
   * @throws NoAnswer
   */
  async next(isToHead: ToHead): Promise<Answer | undefined> {
    for (;;) {
      const answer = this.#reader.next(isToHead);
      if (answer) this.answers.push(answer);
      if (answer || this.#isClosed || this.#isOver) return answer;
      await this.#change();
    }
  }

  /** Whether the server closes in time. */
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
