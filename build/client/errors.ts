/** The errors of the client. */

import { formatDuration, formatTime } from '../report/wording.ts';
import descriptions from './errors.json' with { type: 'json' };

/**
 * What went wrong: `address`, `key`, `quota`, `not-found`, `unavailable`, `damaged`, `unsigned`, `input` (an argument is
 * wrong), `file-system`, `incomplete` (a mirror is).
 */
export type ErrorCode =
  | 'address'
  | 'key'
  | 'quota'
  | 'not-found'
  | 'unavailable'
  | 'damaged'
  | 'unsigned'
  | 'input'
  | 'file-system'
  | 'incomplete';

/** Every error of the client. The message says what happened, and what to do. */
export class PastpaperError extends Error {
  override readonly name = 'PastpaperError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A request failed, or its response is damaged: truncated, or changed in transit. A retry may help. */
export class RequestFailed extends Error {
  readonly code: 'unavailable' | 'damaged';
  /** Milliseconds that the service asks to wait. */
  readonly retryAfter: number;

  constructor(reason: string, code: RequestFailed['code'] = 'damaged', retryAfter = 0) {
    super(reason);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Milliseconds of ten years. */
const longestTime = 10 * 366 * 86_400_000;

/**
 * The service asks for a longer delay than a client waits.
 *
 * @param why ends where the time is to follow
 * @param now milliseconds since 1970, UTC
 * @param wait milliseconds
 */
export function tryLater(code: ErrorCode, why: string, now: number, wait: number): PastpaperError {
  const time = wait > longestTime ? 'a time more than ten years away' : formatTime(now + wait);
  const duration = wait > longestTime ? 'which is hardly meant' : `in ${formatDuration(wait)}`;
  return new PastpaperError(code, `${why} ${time}, ${duration}. Try again then.`);
}

/**
 * Descriptions of connection errors, by the codes of Node and undici, and of statuses that a retry does not change.
 * Permanent errors do not go away in the time that a client waits.
 */
const {
  temporary,
  permanent,
  status: statuses,
}: Record<keyof typeof descriptions, Readonly<Record<string, string>>> = descriptions;

/** Explains a status that a retry does not change. */
export function explainStatus(url: string, status: number, location: unknown): PastpaperError {
  // A browser does not say where a redirect leads, nor its status.
  if ((status >= 300 && status < 400 && status !== 304) || status === 0)
    return new PastpaperError(
      'address',
      `${url}: the service redirects${redirectTarget(location, url)}${status && ` (${status})`}. ` +
        'Redirects are not followed, to protect the key. If the service has moved, use its new address.',
    );
  const known = statuses[status];
  if (known) return new PastpaperError('key', `${url}: ${known}`);
  const unexpected = `the service responded with status ${status}, which is unexpected`;
  return new PastpaperError(
    'address',
    `${url}: ${unexpected}. Is that the address of the service?`,
  );
}

function redirectTarget(location: unknown, base: string): string {
  if (typeof location !== 'string' || !URL.canParse(location, base)) return '';
  return ` to ${quoted(new URL(location, base).href)}`;
}

/** Turns an error of fetch into one of the client. @param thrown has the error of the connection as its cause */
export function connectionError(url: string, thrown: unknown): Error {
  const { name, code, message } = ((thrown as Error).cause ?? thrown) as Error & { code?: string };
  if (name === 'HTTPParserError') return new RequestFailed('the response is not valid HTTP');
  const stopped = (reason: string) =>
    new PastpaperError('address', `${url}: ${reason}. Is that the address of the service?`);
  if (code && /CERT|SELF_SIGNED|^UNABLE_TO_/.test(code))
    return stopped(`its certificate is not trusted (${code})`);
  if (code && permanent[code]) return stopped(permanent[code]);
  return new RequestFailed((code && temporary[code]) || message || String(code), 'unavailable');
}

/** Quotes a text of the service for the terminal: control characters escaped, cut to one line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
