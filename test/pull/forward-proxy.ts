import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A forward proxy that opens tunnels (RFC 9110, 9.3.6), all to the same service, whatever their target is. */
export interface ForwardProxy {
  readonly url: string;
  /** The requested tunnels, as `host:port`, with their credentials. */
  readonly tunnels: (readonly [target: string, credentials: string | undefined])[];
  close(): Promise<void>;
}

/**
 * @param target address of the service
 * @param refusal the status with which every tunnel is rejected
 */
export async function startForwardProxy(target: string, refusal?: number): Promise<ForwardProxy> {
  const tunnels: [string, string | undefined][] = [];
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(target);
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    tunnels.push([url, headers['proxy-authorization']]);
    socket.on('error', () => socket.destroy());
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      return;
    }
    const there = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    there.on('error', () => socket.destroy());
    socket.on('close', () => there.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
