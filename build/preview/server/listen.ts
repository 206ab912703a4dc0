import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NoPreview } from '../no-preview.ts';

/** No other machine can reach it. */
export const host = '127.0.0.1';

/** The port that is tried first where none is asked for. */
const usualPort = 4400;

/**
 * Starts to listen, for this machine alone.
 *
 * @param port undefined: the usual one, or one that is free
 * @returns the port
 * @throws NoPreview when it cannot be had
 */
export async function listen(server: Server, port: number | undefined): Promise<number> {
  if (port !== undefined) return attempt(server, port);
  try {
    return await attempt(server, usualPort);
  } catch {
    return attempt(server, 0);
  }
}

function attempt(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(new NoPreview(explain(error, port)));
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function explain({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: name another with --port, or none for one that is free.`;
  if (code === 'EACCES')
    return `Port ${port} needs rights that this user does not have: name one from 1024 on.`;
  return `Listening at port ${port} of ${host} failed: ${message}`;
}
