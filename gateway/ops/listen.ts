import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The address cannot be listened at. The message says why, and which setting to change. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  /** The two halves of the message. */
  readonly what: string;
  readonly advice: string;
  /** The system's own. */
  readonly code: string | undefined;

  constructor(what: string, advice: string, code: string | undefined) {
    super(`${what}: ${advice}`);
    this.what = what;
    this.advice = advice;
    this.code = code;
  }
}

/** Names of settings. */
export interface ListenSettings {
  readonly port: string;
  readonly host: string;
}

export const publicSettings: ListenSettings = { port: 'PORT', host: 'HOST' };
export const adminSettings: ListenSettings = { port: 'ADMIN_PORT', host: 'ADMIN_HOST' };

/**
 * Starts to listen.
 *
 * @param settings those that name port and host, for the message
 * @returns the port, which the system chose where `port` is 0
 * @throws ListenError
 */
export function listen(
  server: Server,
  port: number,
  host: string,
  settings: ListenSettings,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host, settings)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function listenError(
  { code, message }: NodeJS.ErrnoException,
  port: number,
  host: string,
  settings: ListenSettings,
): ListenError {
  const at = `Port ${port} of ${host}`;
  switch (code) {
    case 'EADDRINUSE':
      return new ListenError(
        `${at} is in use`,
        `stop what listens there, or set ${settings.port} to another.`,
        code,
      );
    case 'EACCES':
      return new ListenError(
        `${at} needs rights that this user does not have`,
        `set ${settings.port} to one from 1024 on.`,
        code,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ListenError(`${host} is no address of this machine`, `set ${settings.host} to one.`, code);
    default:
      return new ListenError(`Listening at port ${port} of ${host} failed`, message, code);
  }
}

/** The address of a server. */
export function originAt(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
