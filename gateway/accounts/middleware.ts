/** Routes under `/auth/`, and checks of their requests. */
import express, { type Request, type RequestHandler, type Router } from 'express';
import { sendError } from '../http.ts';
import { reject } from './responses.ts';

/**
 * Adds a path to a router, with the handlers of its methods. Other methods get 405 and the methods that it has (RFC
 * 9110, 15.5.6).
 */
export function addRoute(
  router: Router,
  path: string,
  methods: { readonly [Method in 'GET' | 'POST' | 'DELETE']?: readonly RequestHandler[] },
): void {
  const { GET: get, POST: post, DELETE: remove } = methods;
  if (get) router.get(path, ...get);
  if (post) router.post(path, ...post);
  if (remove) router.delete(path, ...remove);
  const allowed = Object.keys(methods).join(', ');
  router.all(path, (_request, response) =>
    sendError(response, 'methodNotAllowed', { Allow: allowed }),
  );
}

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
  if (httpVersionMinor > 0 && headers.expect?.toLowerCase() === '100-continue')
    response.writeContinue();
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
