import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiErrorName, apiErrors } from '../build/release/errors.ts';
import { errorResponses, sendError } from './http.ts';

/** Milliseconds that the client of a rejected connection has to read the error. */
const errorReadTime = 1_000;

/**
 * One connection. It is always in one of these states, and each of them ends in time (`TimeLimits`):
 *
 * - reading a header: `header`, and a body: `request`. Node measures both and reports a `clientError`; see `reject`.
 * - responding: `stalled` without progress (a timeout of the socket), `response` in all (`Connections.destroyLate`).
 * - idle until the next request: `idle` (Node's keep-alive timeout). When the process stops: `Connections.closeIdle`.
 * - draining, after an error: `errorReadTime`.
 */
class Connection {
  readonly #socket: Socket;
  /** The response to the last request. `isLate` drops it when both have ended: an idle connection needs no memory. */
  #latest: ServerResponse | undefined;
  /** Responses before it that had not ended when its request arrived: the requests were pipelined. */
  #earlier: ServerResponse[] = [];
  /** The response that was due next at the last check, and the number of the check that first saw it. */
  #due: ServerResponse | undefined;
  #dueSince = 0;
  #isRejected = false;
  /** Sent as soon as no request is pending. */
  #error: ApiErrorName | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Requests without a complete response. */
  get pending(): number {
    return this.#unfinished().length;
  }

  /** @returns how many requests are pending */
  begin(response: ServerResponse): number {
    if (this.#latest?.destroyed === false) this.#earlier = this.#unfinished();
    else if (this.#earlier.length > 0) this.#earlier = [];
    this.#latest = response;
    return this.#earlier.length + 1;
  }

  /**
   * In the order of their requests, which is the order in which they are sent. A response with `writableFinished` may
   * still have to close the connection; Node does that before it emits `close`, and sets `destroyed`.
   */
  #unfinished(): ServerResponse[] {
    const responses = this.#latest ? [...this.#earlier, this.#latest] : this.#earlier;
    return responses.filter(({ destroyed }) => !destroyed);
  }

  /**
   * The socket is closed. Node emits `close` only on the response that it was sending; the pipelined ones behind it
   * would wait, and keep their files open, for ever.
   */
  closed(): void {
    for (const response of this.#unfinished()) {
      if (response.socket !== null || response.writableFinished) continue;
      response.destroy();
      response.emit('close');
    }
  }

  /** Sets whether the connection stays open after the latest pending response, which says so (RFC 9112, 9.6). */
  keepAlive(isKept: boolean): void {
    if (this.#latest && !this.#latest.headersSent) this.#latest.shouldKeepAlive = isKept;
  }

  /**
   * Whether the same response has been due next for more than a number of checks.
   *
   * @param check the number of this check
   */
  isLate(check: number, limit: number): boolean {
    const [due] = this.#unfinished();
    if (due === undefined && this.#latest?.req.complete) this.#latest = undefined;
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
    const response = this.#latest?.req.complete === false ? this.#latest : undefined;
    if (response) rejectBody(response, name);
    else this.#error = name;
    const last = this.#unfinished().at(-1);
    if (last) last.once('close', () => this.#close());
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
  readonly #open = new Map<Socket, Connection>();
  /** How often `destroyLate` was called: a clock that costs a request nothing. */
  #check = 0;
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

  /** Registers a request. @returns how many requests of its connection are pending */
  begin(response: ServerResponse): number {
    const connection = this.of(response.req.socket);
    // Of pipelined requests, only the last one may close the connection.
    if (this.#ending) connection.keepAlive(true);
    const pending = connection.begin(response);
    if (this.#ending) connection.keepAlive(false);
    return pending;
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
    this.#ending = true;
    for (const connection of this.#open.values()) connection.keepAlive(false);
  }

  /** Closes connections between two requests, and those on which nothing was sent yet. */
  closeIdle(server: Server): void {
    server.closeIdleConnections();
    for (const socket of this.#open.keys()) if (socket.bytesRead === 0) socket.destroy();
  }
}
