import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The address cannot be listened at. The message says why, and which setting to change. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * Starts to listen.
 *
 * @param setting the setting that names the port, for the message
 * @returns the port, which the system chose where `port` is 0
 * @throws ListenError
 */
export function listen(server: Server, port: number, host: string, setting: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new ListenError(explain(error, port, host, setting))),
    );
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function explain(
  { code, message }: NodeJS.ErrnoException,
  port: number,
  host: string,
  setting: string,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use: stop what listens there, or set ${setting} to another.`;
    case 'EACCES':
      return `Port ${port} needs rights that this user does not have: set ${setting} to one from 1024 on.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is no address of this machine: set HOST to one.`;
    default:
      return `Listening at port ${port} of ${host} failed: ${message}`;
  }
}
