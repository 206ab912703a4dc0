import { inWords, momentInWords } from './words.ts';

/** The whole pull cannot go on. The message says what happened, and what to do. */
export class PullStopped extends Error {
  override readonly name = 'PullStopped';
}

/**
 * The service wants to be left alone for longer than a pull waits.
 *
 * @param why ends where the moment is to follow
 * @param now milliseconds since 1970, UTC
 * @param wait milliseconds
 */
export function comeLater(why: string, now: number, wait: number): PullStopped {
  return new PullStopped(
    `${why} ${momentInWords(now + wait)}, in ${inWords(wait)}. What is here is kept: run the same command again then.`,
  );
}

/** One file cannot be had; others may. The message says which, and why. */
export class FileFailed extends Error {
  override readonly name = 'FileFailed';
}

/** An answer that is not what it says it is: cut short, or changed on its way. To ask again may help. */
export class DamagedAnswer extends Error {
  override readonly name = 'DamagedAnswer';
}

/** What a broken connection is in words, by the codes of Node and undici. */
const troubles: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was cut short',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  ETIMEDOUT: 'no connection came about in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_BODY_TIMEOUT: 'the answer did not end in time',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'the answer is larger than any file of a question bank',
  ERR_BUFFER_TOO_LARGE: 'the answer is larger than any file of a question bank',
};

/** Neither of these mends itself in the time that a pull waits. */
const lasting =
  /^(ENOTFOUND|UND_ERR_RES_EXCEEDED_MAX_SIZE|ERR_BUFFER_TOO_LARGE)$|CERT|SELF_SIGNED|^UNABLE_TO_/;

/** A proxy that does not let a connection through; undici has no code for it. */
const proxyRefusal = /^Proxy response \((\d+)\)/;

/** A failed exchange in words, to follow "because" or a colon. */
export function troubleOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const [, status] = proxyRefusal.exec(message) ?? [];
  if (status !== undefined) return `the proxy did not let the connection through (${status})`;
  if (/CERT|SELF_SIGNED|^UNABLE_TO_/.test(code)) return `its certificate is not to be trusted (${code})`;
  return troubles[code] ?? (message || code || 'no reason was given');
}

/** Whether a failed exchange may go well a little later. */
export function mayPass(error: unknown): boolean {
  const { code = '', message } = error as NodeJS.ErrnoException;
  // A proxy that wants a password, or forbids the address, goes on doing so.
  return !lasting.test(code) && !proxyRefusal.exec(message)?.[1]?.startsWith('4');
}
