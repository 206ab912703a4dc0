import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../../gateway/clock.ts';

export type Responder = (response: ServerResponse, request: IncomingMessage, body: string) => void;

/** A server that stands in for the authentication service. Each test sets how it responds. */
export interface AuthenticationServer {
  readonly url: string;
  respond: Responder;
  /** Requests that reached it. */
  requests: number;
  /** Connections open now, and the most that were open at once. */
  readonly connections: { readonly open: ReadonlySet<Socket>; most: number };
  close(): Promise<void>;
}

/** @param port 0 for any free port */
export async function startAuthenticationServer(port = 0): Promise<AuthenticationServer> {
  const open = new Set<Socket>();
  const started = { respond: json(active), requests: 0, connections: { open, most: 0 } };
  const server = await listen(async (request, response) => {
    started.requests += 1;
    // The client may have disconnected before the whole request arrived.
    const body = await text(request).catch(() => undefined);
    if (body !== undefined) started.respond(response, request, body);
  }, port);
  server.on('connection', (socket) => {
    open.add(socket);
    started.connections.most = Math.max(started.connections.most, open.size);
    socket.on('close', () => open.delete(socket));
  });
  return Object.assign(started, {
    url: `${originOf(server)}/introspect`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

async function listen(listener: RequestListener, port: number): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

export function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The response for an active key. */
export const active = { active: true, sub: 'acc_1', client_id: 'key_1', plan: 'roomy' };

export function json(body: unknown): Responder {
  return (response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(body));
  };
}

/** A clock that only changes when the test sets it. */
export class FakeClock implements Clock {
  #now = Date.UTC(2026, 10, 21);
  #elapsed = 1_000_000;
  now = () => this.#now;
  elapsed = () => this.#elapsed;

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    this.#elapsed += milliseconds * 1000;
  }

  /** Sets the wall clock, as an operator does. */
  setNow(now: number): void {
    this.#now = now;
  }
}
