import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiErrorName, apiErrors } from '../build/release/errors.ts';
import { errorAnswer } from './http.ts';

/** Milliseconds that a refused connection has to read why, before it is cut. */
const farewellTime = 1_000;

/** What is under way on a connection, and how it ends when what comes by it is not HTTP. */
export class Connection {
  readonly #socket: Socket;
  #underWay = 0;
  /** Of those under way, the answers to requests that came behind another. */
  readonly #behind: ServerResponse[] = [];
  /**
   * The answer to its last request. What is over is let go: held until the next one comes, it would outlive collections
   * and be among what only a full one frees.
   */
  #latest: ServerResponse | undefined;
  #isRefused = false;
  /** To be answered as soon as nothing is under way. */
  #error: ApiErrorName | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Requests without an answer yet. */
  get underWay(): number {
    return this.#underWay;
  }

  begin(response: ServerResponse): void {
    this.#latest = response;
    if (this.#underWay > 0) this.#behind.push(response);
    this.#underWay += 1;
  }

  end(response: ServerResponse): void {
    this.#underWay -= 1;
    if (this.#behind.length > 0) remove(this.#behind, response);
    if (this.#latest === response && response.req.complete) this.#latest = undefined;
    if (this.#isRefused && this.#underWay === 0) this.#close();
  }

  /**
   * The socket is closed. Node tells so to the answer whose turn it was; those that waited for theirs would wait, and hold
   * their files, for ever.
   */
  closed(): void {
    for (const response of this.#behind) {
      if (response.socket !== null) continue;
      response.destroy();
      response.emit('close');
    }
  }

  /** The answer under way that came last is, or is not, the last one of the connection, and says so (RFC 9112, 9.6). */
  keepAlive(isKept: boolean): void {
    if (this.#latest && this.#underWay > 0) this.#latest.shouldKeepAlive = isKept;
  }

  /**
   * Answers on the socket itself, where there is no response object, and closes it: after the answers that are under
   * way, or it would be taken for a part of one. The parser complains of every packet: only the first time counts.
   *
   * @returns whether there will be an answer: where it is the body that is at fault, its request has one already
   */
  refuse(name: ApiErrorName): boolean {
    if (this.#isRefused) return false;
    this.#isRefused = true;
    if (this.#latest?.req.complete !== false) this.#error = name;
    if (this.#underWay === 0) this.#close();
    return this.#error !== undefined;
  }

  #close(): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    // Node has taken its own listener off a socket that it hands over.
    socket.on('error', () => socket.destroy());
    const cut = setTimeout(() => socket.destroy(), farewellTime);
    socket.once('close', () => clearTimeout(cut));
    if (socket.writable) socket.end(this.#error === undefined ? '' : rawAnswer(this.#error));
    socket.resume();
  }
}

function remove(responses: ServerResponse[], response: ServerResponse): void {
  const place = responses.indexOf(response);
  if (place >= 0) responses.splice(place, 1);
}

function rawAnswer(name: ApiErrorName): string {
  const { status, message } = apiErrors[name];
  const { headers, body } = errorAnswer(name);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([field, value]) => `${field}: ${value}`,
  );
  return [`HTTP/1.1 ${status} ${message}`, ...lines, '', body].join('\r\n');
}
