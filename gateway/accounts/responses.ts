/** JSON responses of the routes under `/auth/`, and the responses to errors. */
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { everyResponse, requestIdField } from '../../build/release/headers.ts';
import { requestDetails, requestIdOf, sendError } from '../http.ts';
import { RedisUnavailable } from '../limits/store.ts';
import type { Log } from '../log/logger.ts';
import { BusyError } from '../semaphore.ts';
import { DeletedError, MissingError, RequestError } from './accounts.ts';
import { isDatabaseError } from './store/store.ts';

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

export const notSignedIn = 'You are not signed in.';

/** Something that the service depends on fails. The message is for the log. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** Messages for the errors of Express's body parsers, by type. */
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
      reject(response, error instanceof MissingError ? 404 : 409, error.message);
    } else if (typeof error?.status === 'number' && error.status < 500) {
      reject(response, error.status, bodyErrors[error.type] ?? 'Malformed request');
    } else if (error instanceof BusyError) {
      response.locals['isBusy'] = true;
      reject(response, 503, 'Too many requests at the moment. Try again in a few seconds.', {
        'Retry-After': '5',
      });
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
  return error instanceof DeletedError || foreignKeyErrors.has(error.code) || hasNoSession;
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
