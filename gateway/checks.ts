/** Checks of a request that need neither key nor release. */
import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { everyResponse } from '../build/release/headers.ts';
import { type Middleware, requestDetails, sendError } from './http.ts';
import type { Log } from './log/logger.ts';
import { parseTarget } from './target.ts';

/** Sets `X-Content-Type-Options: nosniff` for handlers that write their headers through Express. */
export const noSniff: Middleware = (_request, response, next) => {
  response.set(everyResponse);
  next();
};

/** Parses the URL for the middleware that follows. */
export const readTarget: Middleware = ({ url }, response, next) => {
  response.locals.target = parseTarget(url);
  next();
};

/** Rejects every method but GET (design: HTTP). */
export const onlyGet: Middleware = (request, response, next) => {
  if (request.method === 'GET') next();
  else sendError(response, 'methodNotAllowed');
};

/** Rejects requests without exactly one host (RFC 9112, 3.2) or with the URL of no endpoint. */
export const onlyWellFormed: Middleware = (request, response, next) => {
  const { kind } = response.locals.target;
  if (kind === 'malformed' || !hasOneHost(request)) sendError(response, 'malformedUrl');
  else if (kind === 'invalid-year') sendError(response, 'invalidYear');
  else next();
};

/** Rejects requests to the authentication service without exactly one host. */
export const onlyOneHost: Middleware = (request, response, next) => {
  if (hasOneHost(request)) next();
  else sendError(response, 'malformedRequest');
};

/** A host by name or address, perhaps with a port (RFC 3986, 3.2.2 and 3.2.3). The header may be empty. */
const oneHost = /^(?:(?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})*|\[[\w\-.~!$&'()*+,;=:]+\])(?::\d*)?$/i;

/** The server joins several Host headers by a comma and a space, and no host contains a space. */
function hasOneHost({ headers: { host }, httpVersionMinor }: IncomingMessage): boolean {
  return host === undefined ? httpVersionMinor === 0 : oneHost.test(host);
}

/** Responds with 500 to what middleware threw. */
export function handleError(log: Log): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    log('A request failed inside the gateway.', error, requestDetails(response));
    if (response.headersSent) response.destroy();
    else sendError(response, 'internal');
  };
}
