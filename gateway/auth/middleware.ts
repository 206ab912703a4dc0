/** Checks of requests under `/auth/`, before their handlers. */
import express, { type Request, type RequestHandler, type Response } from 'express';
import { networkOf } from '../access/network.ts';
import type { AttemptLimit, Attempts } from './attempts.ts';
import { reject } from './responses.ts';

/**
 * Parses a JSON body into `request.body`. Requiring its content type also stops other origins: browsers only send
 * it across origins after a CORS preflight.
 *
 * @param limit bytes
 */
export function jsonBody(limit: number): RequestHandler {
  const parse = express.json({ limit, reviver: rejectNull });
  return (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    const hasBody = coding !== undefined || (length !== undefined && length !== '0');
    if (hasBody && !request.is('application/json')) {
      reject(response, 415, 'The body must be JSON. Send Content-Type: application/json.');
    } else {
      sendContinue(request, response, () => parse(request, response, next));
    }
  };
}

/** Asks a client that waits for it to send the body (RFC 9110, 10.1.1). */
export const sendContinue: RequestHandler = ({ headers, httpVersionMinor }, response, next) => {
  if (httpVersionMinor > 0 && headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  next();
};

/** PostgreSQL cannot store a null character, and no name or address has one. */
function rejectNull(_name: string, value: unknown): unknown {
  if (typeof value === 'string' && value.includes('\0')) throw new SyntaxError('a null character');
  return value;
}

/**
 * Protects against cross-site request forgery: rejects requests that pages of other origins cause. Browsers send
 * `Sec-Fetch-Site` (Fetch Metadata), older ones `Origin`. A client that sends neither is not a browser, and has no
 * cookies for another page to use.
 *
 * @param publicUrl the service's own origin; undefined: the host of the request
 */
export function rejectOtherOrigins(publicUrl: string | undefined): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'GET' || isSameOrigin(request, publicUrl)) next();
    else reject(response, 403, 'Cross-origin requests are not allowed.');
  };
}

function isSameOrigin({ headers }: Request, publicUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = headers;
  if (origin === undefined) return true;
  if (publicUrl !== undefined) return origin === publicUrl;
  // A proxy may have changed the Host header, so Sec-Fetch-Site decides where the browser sends it.
  return site !== undefined || (URL.canParse(origin) && new URL(origin).host === headers.host);
}

/** Limits attempts from one IP address (one /64 network of IPv6): password guesses, and sign-ups in bulk. */
export function limitByAddress(attempts: Attempts, limit: RequestLimit): RequestHandler {
  return limitAttempts(attempts, limit, ({ ip = '' }) => networkOf(ip));
}

/**
 * Limits attempts for one email address, whichever IP address they come from: that of the session, or the one in the body,
 * which must be parsed.
 */
export function limitByEmail(attempts: Attempts, limit: RequestLimit): RequestHandler {
  return limitAttempts(attempts, limit, ({ body }, { locals }) => {
    const email: unknown = locals['signedIn']?.email ?? body?.email;
    return typeof email === 'string' ? email.toLowerCase() : '';
  });
}

interface RequestLimit extends AttemptLimit {
  /** Whether only failed attempts count. Failures of the service do not. */
  readonly failedOnly: boolean;
}

function limitAttempts(
  attempts: Attempts,
  limit: RequestLimit,
  whoOf: (request: Request, response: Response) => string,
): RequestHandler {
  return async (request, response, next) => {
    const who = whoOf(request, response);
    const { isAllowed, endsAt } = await attempts.take(limit, who);
    if (!isAllowed) {
      const seconds = Math.max(1, Math.ceil((endsAt - attempts.now()) / 1000));
      const error = `Too many attempts. Try again in ${seconds} seconds.`;
      return reject(response, 429, error, { 'Retry-After': String(seconds) });
    }
    response.once('finish', () => {
      const hasFailed = response.statusCode >= 400 && response.statusCode < 500;
      // If that fails, the attempt counts until its window ends.
      if (limit.failedOnly && !hasFailed) attempts.giveBack(limit, who).catch(() => {});
    });
    return next();
  };
}
