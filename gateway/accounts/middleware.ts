/** Routes under `/auth/`, checks of their requests, and their responses. */
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { everyResponse, requestIdField } from '../../build/release/headers.ts';
import { requestDetails, requestIdOf, sendError } from '../http.ts';
import { RedisUnavailable } from '../limits/store.ts';
import type { Log } from '../log/logger.ts';
import { notSignedIn, RequestError } from './accounts.ts';
import { isDatabaseError } from './store/store.ts';

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

type Headers = Readonly<Record<string, string>>;

/** Sends JSON. No cache may store it: it is for one user. */
export function sendJson(
  response: Response,
  status: number,
  body: unknown,
  headers?: Headers,
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...everyResponse,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(text);
}

/** Rejects a request with an error message, in the form of the whole API: `{"error": "..."}`. */
export function reject(response: Response, status: number, error: string, headers?: Headers): void {
  sendJson(response, status, { error }, headers);
}

export const sendNotFound: RequestHandler = (_request, response) =>
  sendError(response, 'fileNotFound');

/** Something that the service depends on fails. The message is for the log. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

const bodyErrors: Readonly<Record<string, string>> = {
  'entity.parse.failed': 'The body is not JSON.',
  'entity.too.large': 'The body is too long.',
  'encoding.unsupported': 'The Content-Encoding of the body is not supported.',
  'charset.unsupported': 'The body is not in UTF-8.',
};

/** Responds to what a handler threw: 4xx for errors of the request, 503 if the data is unavailable, else 500. */
export function handleErrors(log: Log): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    if (response.headersSent) {
      response.destroy();
    } else if (isOfDeletedAccount(error)) {
      reject(response, 401, notSignedIn);
    } else if (error instanceof RequestError) {
      reject(response, error.status, error.message);
    } else if (typeof error?.status === 'number' && error.status < 500) {
      reject(response, error.status, bodyErrors[error.type] ?? 'Malformed request');
    } else if (isUnavailable(error)) {
      log('The accounts could not be read or written.', error, requestDetails(response));
      reject(response, 503, 'The service cannot reach its database. Try again in a few seconds.', {
        'Retry-After': '5',
        [requestIdField]: requestIdOf(response),
      });
    } else {
      log('A request failed inside the authentication service.', error, requestDetails(response));
      sendError(response, 'internal');
    }
  };
}

/** What the engines report when a row belongs to an account or user that does not exist any more. */
const foreignKeyErrors: ReadonlySet<unknown> = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503']);

/** Whether the account of a request, or its session, was deleted meanwhile. */
function isOfDeletedAccount(error: { code?: unknown; name?: string; statusCode?: number }) {
  const hasNoSession = error.name === 'APIError' && error.statusCode === 401;
  return foreignKeyErrors.has(error.code) || hasNoSession;
}

/** Whether the database or Redis fails. better-auth turns errors of the database into an `APIError`. */
function isUnavailable(error: unknown): boolean {
  if (
    error instanceof UnavailableError ||
    error instanceof RedisUnavailable ||
    isDatabaseError(error)
  )
    return true;
  const { name, statusCode } = error as { name?: string; statusCode?: number };
  return name === 'APIError' && statusCode === 500;
}
