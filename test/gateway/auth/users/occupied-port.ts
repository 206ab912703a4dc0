import { createServer } from 'node:http';
import { listenLocally } from '../../../free-port.ts';

/** Listens on a port, so that it is in use. */
export async function occupiedPort(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer();
  return { port: await listenLocally(server), close: () => new Promise((resolve) => server.close(() => resolve())) };
}
