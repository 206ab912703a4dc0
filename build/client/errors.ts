/** The errors of the client. */
import { formatDuration, formatTime } from '../report/wording.ts';

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

/** Milliseconds of ten years. Dates have an end. */
const longestTime = 10 * 366 * 86_400_000;

/**
 * The service asks for a longer delay than a client waits.
 *
 * @param why ends where the time is to follow
 * @param now milliseconds since 1970, UTC
 * @param wait milliseconds
 */
export function tryLater(why: string, now: number, wait: number): PastpaperError {
  const time = Math.min(wait, longestTime);
  return new PastpaperError(
    'quota',
    `${why} ${formatTime(now + time)}, in ${formatDuration(time)}. Try again then.`,
  );
}

/** Explains a status that a retry does not change. @param location where a redirect leads */
export function explainStatus(
  url: string,
  status: number,
  location: string | null,
): PastpaperError {
  // A browser does not say where a redirect leads, nor its status.
  if ((status >= 300 && status < 400 && status !== 304) || status === 0) {
    const target =
      location !== null && URL.canParse(location, url)
        ? ` to "${new URL(location, url).href}"`
        : '';
    return new PastpaperError(
      'address',
      `${url}: the service redirects${target}${status && ` (${status})`}. ` +
        'Redirects are not followed, to protect the key. If the service has moved, use its new address.',
    );
  }
  if (status === 401)
    return new PastpaperError(
      'key',
      `${url}: the service does not recognize the API key as a key (401). ` +
        'Use the whole key, as shown when it was created.',
    );
  if (status === 403)
    return new PastpaperError(
      'key',
      `${url}: the API key is unknown, revoked or expired (403). ` +
        'Create a new one in the dashboard of the service.',
    );
  return new PastpaperError(
    'address',
    `${url}: the service responded with status ${status}, which is unexpected. ` +
      'Is that the address of the service?',
  );
}

/** Turns an error of fetch into one of the client. @param thrown may have the error of the connection as its cause */
export function connectionError(url: string, thrown: unknown): Error {
  const { code = '', message } = ((thrown as Error).cause ?? thrown) as NodeJS.ErrnoException;
  // These do not go away in the time that a client waits.
  if (/^ENOTFOUND$|CERT|SELF_SIGNED|^UNABLE_TO_/.test(code))
    return new PastpaperError('address', `${url}: ${message}. Is that the address of the service?`);
  return new RequestFailed(message || code, 'unavailable');
}
