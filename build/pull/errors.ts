import { formatDuration, formatTime } from '../report/wording.ts';

/** Ends the whole pull. The message says what happened, and what to do. */
export class PullStopped extends Error {
  override readonly name = 'PullStopped';
}

/** One file cannot be downloaded; others may. The message says which, and why. */
export class FileFailed extends Error {
  override readonly name = 'FileFailed';
}

/** A response is damaged: truncated, or changed in transit. A retry may help. */
export class DamagedResponse extends Error {
  override readonly name = 'DamagedResponse';
}

/**
 * The service asks for a longer delay than a pull waits.
 *
 * @param why ends where the time is to follow
 * @param now milliseconds since 1970, UTC
 * @param wait milliseconds
 */
export function tryLater(why: string, now: number, wait: number): PullStopped {
  return new PullStopped(
    `${why} ${formatTime(now + wait)}, in ${formatDuration(wait)}. What is here is kept: run the same command again then.`,
  );
}

/** Descriptions of connection errors, by the codes of Node and undici. */
const descriptions: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the response was cut short',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  ETIMEDOUT: 'no connection came about in time',
  UND_ERR_HEADERS_TIMEOUT: 'no response came in time',
  UND_ERR_BODY_TIMEOUT: 'the response did not end in time',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'the response is larger than any file of a question bank',
  ERR_BUFFER_TOO_LARGE: 'the response is larger than any file of a question bank',
};

const certificateError = /CERT|SELF_SIGNED|^UNABLE_TO_/;

/** These errors do not go away in the time that a pull waits. */
const permanent = /^(ENOTFOUND|UND_ERR_RES_EXCEEDED_MAX_SIZE|ERR_BUFFER_TOO_LARGE)$/;

/** A proxy that refuses to connect; undici has no code for it. */
const proxyRefusal = /^Proxy response \((\d+)\)/;

/** Describes a connection error, to follow a colon. */
export function describeConnectionError(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const [, status] = proxyRefusal.exec(message) ?? [];
  if (status !== undefined) return `the proxy did not let the connection through (${status})`;
  if (certificateError.test(code)) return `its certificate is not to be trusted (${code})`;
  return descriptions[code] ?? (message || code || 'no reason was given');
}

/** Whether a request that failed with a connection error may succeed when it is retried. */
export function isTransient(error: unknown): boolean {
  const { code = '', message } = error as NodeJS.ErrnoException;
  // A proxy that requires a password, or forbids the address, keeps doing so.
  const isRefusedByProxy = proxyRefusal.exec(message)?.[1]?.startsWith('4') ?? false;
  return !permanent.test(code) && !certificateError.test(code) && !isRefusedByProxy;
}

/** Quotes a text of the service for the terminal: control characters escaped, cut to one line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
