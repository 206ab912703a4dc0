/** Checks of a request that need neither key nor release. */
import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { everyResponse } from '../build/release/headers.ts';
import { type Middleware, requestDetails, sendError } from './http.ts';
import type { Log } from './log/logger.ts';
import { parseTarget, type Target } from './target.ts';

/** Sets `X-Content-Type-Options: nosniff` for handlers that write their headers through Express. */
export const noSniff: Middleware = (_request, response, next) => {
  response.set(everyResponse);
  next();
};

/** Bounds of the cache of parsed URLs: how many, and characters of the longest. */
const maxTargets = 10_000;
const longestCachedUrl = 100;

const targets = new LRUCache<string, Target>({ max: maxTargets });

/** Parses the URL for the middleware that follows. */
export const readTarget: Middleware = ({ url }, response, next) => {
  const cached = targets.get(url);
  const target = cached ?? parseTarget(url);
  if (!cached && url.length <= longestCachedUrl) targets.set(url, target);
  response.locals.target = target;
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

/** The last host that was accepted: nearly all requests name the same one. */
let lastHost = '';

/** The server joins several Host headers by a comma and a space, and no host contains a space. */
function hasOneHost({ headers: { host }, httpVersionMinor }: IncomingMessage): boolean {
  if (host === undefined) return httpVersionMinor === 0;
  if (host !== lastHost && !oneHost.test(host)) return false;
  lastHost = host;
  return true;
}

/** Responds with 500 to what middleware threw. */
export function handleError(log: Log): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    log('A request failed inside the gateway.', error, requestDetails(response));
    if (response.headersSent) response.destroy();
    else sendError(response, 'internal');
  };
}
