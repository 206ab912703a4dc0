import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiErrorName, apiErrors } from '../build/release/errors.ts';
import { errorResponses } from './http.ts';

/** Milliseconds that the client of a rejected connection has to read the error. */
const errorReadTime = 1_000;

/** The pending requests of a connection, and how it ends when the client sends something that is not HTTP. */
class Connection {
  readonly #socket: Socket;
  #pending = 0;
  /** Responses to pipelined requests: those that arrived while another one was pending. */
  readonly #pipelined: ServerResponse[] = [];
  /**
   * The response to the last request, until it ends. A reference beyond that would move the response to V8's old
   * generation, which only full collections free.
   */
  #latest: ServerResponse | undefined;
  #isRejected = false;
  /** Sent as soon as no request is pending. */
  #error: ApiErrorName | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Requests without a complete response. */
  get pending(): number {
    return this.#pending;
  }

  begin(response: ServerResponse): void {
    this.#latest = response;
    if (this.#pending > 0) this.#pipelined.push(response);
    this.#pending += 1;
  }

  end(response: ServerResponse): void {
    this.#pending -= 1;
    if (this.#pipelined.length > 0) remove(this.#pipelined, response);
    if (this.#latest === response && response.req.complete) this.#latest = undefined;
    if (this.#isRejected && this.#pending === 0) this.#close();
  }

  /**
   * The socket is closed. Node emits `close` only on the response that it was sending; the pipelined ones behind it would
   * wait, and keep their files open, for ever.
   */
  closed(): void {
    for (const response of this.#pipelined) {
      if (response.socket !== null) continue;
      response.destroy();
      response.emit('close');
    }
  }

  /** Sets whether the connection stays open after the latest pending response, which says so (RFC 9112, 9.6). */
  keepAlive(isKept: boolean): void {
    if (this.#latest && this.#pending > 0) this.#latest.shouldKeepAlive = isKept;
  }

  /**
   * Sends an error on the socket itself, where there is no response object, and closes it: after the pending responses, or
   * the client would read it as part of one. The parser reports every packet; only the first report counts.
   *
   * @returns whether the error will be sent: if the fault is in the body, its request has a response already
   */
  reject(name: ApiErrorName): boolean {
    if (this.#isRejected) return false;
    this.#isRejected = true;
    if (this.#latest?.req.complete !== false) this.#error = name;
    if (this.#pending === 0) this.#close();
    return this.#error !== undefined;
  }

  #close(): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    // Node removes its own listener from a socket that it hands over.
    socket.on('error', () => socket.destroy());
    const cut = setTimeout(() => socket.destroy(), errorReadTime);
    socket.once('close', () => clearTimeout(cut));
    if (socket.writable) socket.end(this.#error === undefined ? '' : rawError(this.#error));
    socket.resume();
  }
}

function remove(responses: ServerResponse[], response: ServerResponse): void {
  const index = responses.indexOf(response);
  if (index >= 0) responses.splice(index, 1);
}

function rawError(name: ApiErrorName): string {
  const { status, message } = apiErrors[name];
  const { headers, body } = errorResponses[name];
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([field, value]) => `${field}: ${value}`,
  );
  return [`HTTP/1.1 ${status} ${message}`, ...lines, '', body].join('\r\n');
}

/** The connections of a server that have sent something, and their pending requests. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  #ending = false;

  get size(): number {
    return this.#open.size;
  }

  /** Pending requests of all connections. */
  get pending(): number {
    let sum = 0;
    for (const { pending } of this.#open.values()) sum += pending;
    return sum;
  }

  of(socket: Socket): Connection {
    const open = this.#open.get(socket);
    if (open) return open;
    const connection = new Connection(socket);
    // A closed socket emits no further `close`.
    if (socket.destroyed) return connection;
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#open.delete(socket);
      connection.closed();
    });
    return connection;
  }

  /**
   * Registers a request.
   *
   * @returns how many requests of its connection are pending
   */
  begin(response: ServerResponse): number {
    const connection = this.of(response.req.socket);
    // Of pipelined requests, only the last one may close the connection.
    if (this.#ending) connection.keepAlive(true);
    connection.begin(response);
    if (this.#ending) connection.keepAlive(false);
    return connection.pending;
  }

  /** Registers that a response was sent, or that its client disconnected. */
  end(response: ServerResponse): void {
    const { socket } = response.req;
    const connection = this.#open.get(socket);
    if (!connection) return;
    connection.end(response);
    if (this.#ending && connection.pending === 0) socket.end();
  }

  /** Makes each further response the last of its connection. */
  closeAfterResponses(): void {
    this.#ending = true;
    for (const connection of this.#open.values()) connection.keepAlive(false);
  }
}
