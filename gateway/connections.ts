import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Connection } from './connection.ts';

/** The connections by which something has come, and what is under way by them. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  #ending = false;

  /** How many there are. */
  get size(): number {
    return this.#open.size;
  }

  /** Requests under way by all of them. */
  get underWay(): number {
    let sum = 0;
    for (const { underWay } of this.#open.values()) sum += underWay;
    return sum;
  }

  of(socket: Socket): Connection {
    const known = this.#open.get(socket);
    if (known) return known;
    const connection = new Connection(socket);
    // One that is closed already will not tell so again.
    if (socket.destroyed) return connection;
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#open.delete(socket);
      connection.closed();
    });
    return connection;
  }

  /**
   * Takes note of a request.
   *
   * @returns how many its connection has under way now
   */
  begun(response: ServerResponse): number {
    const connection = this.of(response.req.socket);
    // Of requests that came one behind the other, the answer to the last one is the last.
    if (this.#ending) connection.keepAlive(true);
    connection.begin(response);
    if (this.#ending) connection.keepAlive(false);
    return connection.underWay;
  }

  /** Takes note that a request was answered, or that its client went away. */
  ended(response: ServerResponse): void {
    const { socket } = response.req;
    const connection = this.#open.get(socket);
    if (!connection) return;
    connection.end(response);
    if (this.#ending && connection.underWay === 0) socket.end();
  }

  /** From here on each answer is the last of its connection. */
  endAfterAnswers(): void {
    this.#ending = true;
    for (const connection of this.#open.values()) connection.keepAlive(false);
  }
}
