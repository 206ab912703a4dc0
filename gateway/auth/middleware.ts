/** Checks of requests under `/auth/`, before their handlers. */
import express, { type Request, type RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
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

interface AttemptLimit {
  /** Milliseconds. */
  readonly windowMs: number;
  /** Attempts in a window. */
  readonly limit: number;
  /** Whether only failed attempts count. */
  readonly failedOnly: boolean;
}

/** Limits attempts from one IP address (one /56 of IPv6): password guesses, and sign-ups in bulk. */
export function limitByAddress(limit: AttemptLimit): RequestHandler {
  return limitAttempts(limit, ({ ip = '' }) => ipKeyGenerator(ip));
}

/** Limits attempts for one email address, whichever IP address they come from. The body must be parsed. */
export function limitByEmail(limit: AttemptLimit): RequestHandler {
  return limitAttempts(limit, ({ body }) =>
    typeof body?.email === 'string' ? body.email.toLowerCase() : '',
  );
}

function limitAttempts(
  { failedOnly, ...options }: AttemptLimit,
  keyGenerator: (request: Request) => string,
): RequestHandler {
  return rateLimit({
    ...options,
    keyGenerator,
    skipSuccessfulRequests: failedOnly,
    standardHeaders: false,
    legacyHeaders: false,
    handler: (request, response) => {
      const resetTime = request.rateLimit?.resetTime?.getTime() ?? Date.now() + options.windowMs;
      const seconds = Math.max(1, Math.ceil((resetTime - Date.now()) / 1000));
      reject(response, 429, `Too many attempts. Try again in ${seconds} seconds.`, {
        'Retry-After': String(seconds),
      });
    },
  });
}
