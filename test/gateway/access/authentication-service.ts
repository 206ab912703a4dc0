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

export type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => void;

/** A real server in the place of the authentication service. What it answers is set by each test. */
export interface AuthenticationServer {
  readonly url: string;
  answer: Answer;
  /** Requests that reached it. */
  requests: number;
  /** Connections open now, and the most that were open at once. */
  readonly connections: { readonly open: ReadonlySet<Socket>; most: number };
  close(): Promise<void>;
}

/** @param port 0: a free one */
export async function startAuthenticationServer(port = 0): Promise<AuthenticationServer> {
  const open = new Set<Socket>();
  const started = { answer: json(active), requests: 0, connections: { open, most: 0 } };
  const server = await listen(async (request, response) => {
    started.requests += 1;
    // Whoever asked may have gone before the whole question was here.
    const body = await text(request).catch(() => undefined);
    if (body !== undefined) started.answer(response, request, body);
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

/** What a service answers of a key that is in use. */
export const active = { active: true, sub: 'acc_1', client_id: 'key_1', plan: 'roomy' };

export function json(body: unknown): Answer {
  return (response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(body));
  };
}

/** A clock that stands still until it is told to go on. */
export class SteppedClock implements Clock {
  #now = Date.UTC(2026, 10, 21);
  #elapsed = 1_000_000;
  now = () => this.#now;
  elapsed = () => this.#elapsed;

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    this.#elapsed += milliseconds * 1000;
  }

  /** As when an operator sets the time of the system. */
  setNow(now: number): void {
    this.#now = now;
  }
}
