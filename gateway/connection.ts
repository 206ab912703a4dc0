import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiErrorName, apiErrors } from '../build/release/errors.ts';
import { errorResponses, sendError } from './http.ts';

/** Milliseconds that the client of a rejected connection has to read the error. */
const errorReadTime = 1_000;

/** Requests of a connection that may wait for the response before theirs: more than any client pipelines. */
const maxWaiting = 63;

/** Bytes that a body may take, more than any route reads, and those that each of its chunks takes beside its own. */
const maxBody = 64 * 1024;
const chunkMemory = 500;

/**
 * One connection. It is always in one of these states, and each of them ends in time (`ServerLimits`):
 *
 * - reading a header: `header`, and a body: `request`. Node measures both and reports a `clientError`; see `reject`.
 * - responding: `stalled` without progress (a timeout of the socket), `response` in all (`Connections.destroyLate`).
 * - idle until the next request: `idle` (Node's keep-alive timeout). When the process stops: `Connections.closeIdle`.
 * - draining, after an error: `errorReadTime`.
 */
class Connection {
  readonly #socket: Socket;
  readonly #all: Connections;
  /** The response in work, or the last one. `isLate` drops it when it has ended: an idle connection needs no memory. */
  #current: ServerResponse | undefined;
  /** Responses to pipelined requests. They begin one after the other, as each may take a file and memory. */
  readonly #waiting: ServerResponse[] = [];
  /** The response that was due at the last check, and the number of the check that first saw it. */
  #due: ServerResponse | undefined;
  #dueSince = 0;
  #isRejected = false;
  /** Whether nothing more is received. */
  #isFlooded = false;
  /** Sent as soon as no request is pending. */
  #error: ApiErrorName | undefined;

  constructor(socket: Socket, all: Connections) {
    this.#socket = socket;
    this.#all = all;
    // Node resumes the socket for reasons of its own.
    socket.on('resume', () => {
      if (this.#isFlooded || this.#waiting.length > 0) socket.pause();
    });
  }

  /** Requests without a complete response. */
  get pending(): number {
    return this.#waiting.length + (this.#current?.destroyed === false ? 1 : 0);
  }

  /** @returns whether the request may be served now; if not, `Connections.serve` is called when it may */
  begin(response: ServerResponse): boolean {
    // A response with `writableFinished` may still have to close the connection; Node sets `destroyed` after that.
    if (this.#current?.destroyed !== false) {
      this.#start(response);
      return true;
    }
    if (this.#waiting.length === maxWaiting) {
      this.#socket.destroy();
      return false;
    }
    if (this.#waiting.push(response) === 1) this.#current.once('close', () => this.#next());
    this.#socket.pause();
    return false;
  }

  #start(response: ServerResponse): void {
    this.#current = response;
    if (this.#all.isEnding) this.end();
  }

  #next(): void {
    // The response before may have been the last one.
    const response = this.#socket.writable ? this.#waiting.shift() : undefined;
    if (!response) return;
    this.#start(response);
    if (this.#waiting.length > 0) response.once('close', () => this.#next());
    else this.#socket.resume();
    this.#all.serve(response);
  }

  /** Closes the connection after the response to the last request so far, which says so (RFC 9112, 9.6). */
  end(): void {
    if (this.#waiting.length === 0 && this.#current?.headersSent === false)
      this.#current.shouldKeepAlive = false;
  }

  /** Limits the memory and time that a body takes, also if no route reads it. Beyond, nothing more is received. */
  limitBody(response: ServerResponse, isRead: boolean): void {
    const { req } = response;
    let left = maxBody;
    const push = req.push.bind(req);
    req.push = (chunk: Buffer | null) => {
      if (chunk === null) return push(chunk);
      left -= chunk.length + chunkMemory;
      if (left >= 0) return !isRead || push(chunk);
      this.#isFlooded = true;
      this.#socket.pause();
      this.reject('malformedRequest');
      return false;
    };
    // Otherwise, Node would not call `push` after the response.
    req.read(0);
    response.once('finish', () => req.resume());
  }

  /**
   * Whether the same response has been due for more than a number of checks.
   *
   * @param check the number of this check
   */
  isLate(check: number, limit: number): boolean {
    const due = this.#current?.destroyed === false ? this.#current : undefined;
    if (due === undefined && this.#current?.req.complete) this.#current = undefined;
    if (due !== this.#due) this.#dueSince = check;
    this.#due = due;
    return due !== undefined && check - this.#dueSince > limit;
  }

  /**
   * Sends an error, and closes the connection: in response to the request whose body is faulty or late, or else on the
   * socket itself, behind the pending responses. The parser reports every packet; only the first report counts.
   *
   * @returns whether the error is sent without a response object, which observers would see
   */
  reject(name: ApiErrorName): boolean {
    if (this.#isRejected) return false;
    this.#isRejected = true;
    const last = this.#waiting.at(-1) ?? this.#current;
    if (last?.req.complete === false) rejectBody(last, name);
    else this.#error = name;
    if (last?.destroyed === false) last.once('close', () => this.#close());
    else this.#close();
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

/** Sends an error to a request with a faulty or late body, if the body is read. If not, the response is coming. */
function rejectBody(response: ServerResponse, name: ApiErrorName): void {
  const { req } = response;
  const reject = () => {
    if (!response.headersSent) sendError(response, name, { Connection: 'close' });
  };
  if (!response.headersSent) response.shouldKeepAlive = false;
  if (req.readableFlowing) reject();
  else req.once('resume', reject);
}

function rawError(name: ApiErrorName): string {
  const { status, message } = apiErrors[name];
  const { headers, body } = errorResponses[name];
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([field, value]) => `${field}: ${value}`,
  );
  return [`HTTP/1.1 ${status} ${message}`, ...lines, '', body].join('\r\n');
}

/** The open connections of a server, and their pending requests. */
export class Connections {
  /** Serves a request that had to wait for the one before it. */
  readonly serve: (response: ServerResponse) => void;
  /** Whether each further response is the last of its connection. */
  isEnding = false;
  readonly #open = new Map<Socket, Connection>();
  /** How often `destroyLate` was called: a clock that costs a request nothing. */
  #check = 0;

  constructor(serve: (response: ServerResponse) => void) {
    this.serve = serve;
  }

  get size(): number {
    return this.#open.size;
  }

  get pending(): number {
    let sum = 0;
    for (const { pending } of this.#open.values()) sum += pending;
    return sum;
  }

  of(socket: Socket): Connection {
    const open = this.#open.get(socket);
    if (open) return open;
    const connection = new Connection(socket, this);
    // A closed socket emits no further `close`.
    if (socket.destroyed) return connection;
    this.#open.set(socket, connection);
    socket.once('close', () => this.#open.delete(socket));
    return connection;
  }

  /** Destroys connections whose next response has been due for more than a number of calls of this function. */
  destroyLate(limit: number): void {
    this.#check += 1;
    for (const [socket, connection] of this.#open) {
      if (connection.isLate(this.#check, limit)) socket.destroy();
    }
  }

  /** Makes each further response the last of its connection. */
  closeAfterResponses(): void {
    this.isEnding = true;
    for (const connection of this.#open.values()) connection.end();
  }

  /** Closes connections between two requests, and those on which nothing was sent yet. */
  closeIdle(server: Server): void {
    server.closeIdleConnections();
    for (const socket of this.#open.keys()) if (socket.bytesRead === 0) socket.destroy();
  }
}
