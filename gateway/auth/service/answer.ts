import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { everyAnswer, requestIdField } from '../../../build/release/headers.ts';
import { refuse } from '../../http.ts';
import { RedisAway } from '../../limits/redis/redis-away.ts';
import type { Log } from '../../log/log.ts';
import { ofRequest } from '../../log/of-request.ts';
import { requestIdOf } from '../../log/request-id.ts';
import { MissingError, RequestError } from '../request-error.ts';
import { isDatabaseError } from '../store/database.ts';

/** Answers in JSON. What the service says is for one reader, and for now. */
export function answer(
  response: Response,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...everyAnswer,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(text);
}

/** Answers with an error, in the form of all of this API: `{"error": "..."}`. */
export function answerError(
  response: Response,
  status: number,
  error: string,
  headers?: Readonly<Record<string, string>>,
): void {
  answer(response, status, { error }, headers);
}

/** What stands behind the service does not answer. The message is for the log. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

export const answerNotFound: RequestHandler = (_request, response) => {
  refuse(response, 'fileNotFound');
};

/** Answers a path that stands for something, asked with a method that it does not take (RFC 9110, 15.5.6). */
export function allow(...methods: readonly string[]): RequestHandler {
  return (_request, response) => {
    refuse(response, 'methodNotAllowed', { Allow: methods.join(', ') });
  };
}

/** What a body parser found wrong with a request, by the type of its error. */
const bodyFaults: Readonly<Record<string, string>> = {
  'entity.parse.failed': 'The body is not JSON.',
  'entity.too.large': 'The body is too long.',
  'encoding.unsupported': 'The body has a content coding that is not understood.',
  'charset.unsupported': 'The body is not in UTF-8.',
};

/** Answers what a step threw: what is wrong with the request, 503 where the data is away, else 500. */
export function answerServiceFault(log: Log): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    if (response.headersSent) {
      response.destroy();
    } else if (error instanceof RequestError) {
      answerError(response, error instanceof MissingError ? 404 : 409, error.message);
    } else if (typeof error?.status === 'number' && error.status < 500) {
      answerError(response, error.status, bodyFaults[error.type] ?? 'The request cannot be read.');
    } else if (isUnavailable(error)) {
      log('The accounts could not be read or written.', error, ofRequest(response));
      answerError(response, 503, 'The service cannot reach its data at present. Try again in some seconds.', {
        'Retry-After': '5',
        [requestIdField]: requestIdOf(response),
      });
    } else {
      log('A request failed inside the authentication service.', error, ofRequest(response));
      refuse(response, 'internal');
    }
  };
}

/** A database's own error, or what better-auth makes of one; or Redis is away, where usage is in it. */
function isUnavailable(error: unknown): boolean {
  const { name, statusCode } = error as { name?: string; statusCode?: number };
  return (
    error instanceof UnavailableError ||
    error instanceof RedisAway ||
    isDatabaseError(error) ||
    (name === 'APIError' && statusCode === 500)
  );
}
