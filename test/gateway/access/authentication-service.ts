import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { listenLocally } from '../../free-port.ts';

export type Responder = (response: ServerResponse, request: IncomingMessage, body: string) => void;

/** A server that stands in for the authentication service. Each test sets how it responds. */
export async function startAuthenticationServer() {
  const open = new Set<Socket>();
  const started = { respond: json(active) as Responder, requests: 0, connections: { open } };
  const server = createServer(async (request, response) => {
    started.requests += 1;
    // The client may have disconnected before the whole request arrived.
    const body = await text(request).catch(() => undefined);
    if (body !== undefined) started.respond(response, request, body);
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  return Object.assign(started, {
    url: `http://127.0.0.1:${await listenLocally(server)}/introspect`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** The response for an active key. */
export const active = { active: true, sub: 'acc_1', client_id: 'key_1', plan: 'roomy' };

export function json(body: unknown): Responder {
  return (response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(body));
  };
}
