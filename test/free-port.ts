import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';

/**
 * Returns a free port on loopback, for servers that do not report the port that the system has chosen, or that listen on
 * it again after a restart. It is below the range from which systems choose ports for connections and servers, so that
 * it stays free until then.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Makes a server listen on loopback. Returns the port that the system has chosen. */
export async function listenLocally(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts an HTTP server on loopback. `close` also closes its connections. */
export async function serveLocally(
  server: HttpServer,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
