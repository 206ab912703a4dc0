import { formatDuration, formatTime } from '../../report/wording.ts';
import descriptions from './errors.json' with { type: 'json' };

/** Ends the whole pull. The message says what happened, and what to do. */
export class PullStopped extends Error {
  override readonly name = 'PullStopped';
}

/** Metadata is not signed: it is forged, or of another release than the signed checksums. */
export class Unsigned extends PullStopped {}

/** One file cannot be downloaded; others may. The message says which, and why. */
export class FileFailed extends Error {
  override readonly name = 'FileFailed';
}

/** A request failed, or its response is damaged: truncated, or changed in transit. A retry may help. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  readonly retryAfter: number;

  /** @param retryAfter milliseconds that the service asks to wait */
  constructor(reason: string, retryAfter = 0) {
    super(reason);
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
export function tryLater(why: string, now: number, wait: number): PullStopped {
  const time = wait > longestTime ? 'a time more than ten years away' : formatTime(now + wait);
  const duration = wait > longestTime ? 'which is hardly meant' : `in ${formatDuration(wait)}`;
  return new PullStopped(`${why} ${time}, ${duration}. Try again then.`);
}

/**
 * Descriptions of connection errors, by the codes of Node and undici, and of statuses that a retry does not change.
 * Permanent errors do not go away in the time that a pull waits.
 */
const {
  temporary,
  permanent,
  status: statuses,
}: Record<keyof typeof descriptions, Readonly<Record<string, string>>> = descriptions;

/** Explains a status that a retry does not change. */
export function explainStatus(url: string, status: number, location: unknown): string {
  if (status >= 300 && status < 400 && status !== 304)
    return (
      `${url}: the service redirects${redirectTarget(location, url)} (${status}). ` +
      'Redirects are not followed, to protect the key. If the service has moved, use its new address.'
    );
  const unexpected = `the service responded with status ${status}, which is unexpected`;
  return `${url}: ${statuses[status] ?? `${unexpected}. Is that the address of the service?`}`;
}

function redirectTarget(location: unknown, base: string): string {
  if (typeof location !== 'string' || !URL.canParse(location, base)) return '';
  return ` to ${quoted(new URL(location, base).href)}`;
}

/** Turns an error of Node or undici into one of a pull; those without a code are defects of this program. */
export function connectionError(url: string, error: unknown): unknown {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'HTTPParserError') return new RequestFailed('the response is not valid HTTP');
  if (code === undefined) return error;
  const stopped = (reason: string) =>
    new PullStopped(`${url}: ${reason}. Is that the address of the service?`);
  // undici has no code for it. A proxy that requires a password, or forbids the address, keeps doing so.
  const [, status] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  if (status !== undefined) {
    const reason = `the proxy rejected the connection (${status})`;
    return status.startsWith('4') ? stopped(reason) : new RequestFailed(reason);
  }
  if (/CERT|SELF_SIGNED|^UNABLE_TO_/.test(code))
    return stopped(`its certificate is not trusted (${code})`);
  if (permanent[code]) return stopped(permanent[code]);
  return new RequestFailed(temporary[code] ?? (message || code));
}

/** Quotes a text of the service for the terminal: control characters escaped, cut to one line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
