/** The path of a request, and its checks that need neither key nor release. */
import type { IncomingMessage } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
} from 'express';
import { cacheControl, crossOriginFields, everyResponse } from '../build/release/headers.ts';
import { isLoopback } from '../build/release/urls.ts';
import {
  limitFailedKeys,
  limitRequests,
  requireKey,
  type VerifyKey,
} from './access/require-key.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import {
  type GatewayResponse,
  type Middleware,
  requestDetails,
  sendError,
  toFields,
  writeHead,
} from './http.ts';
import type { LimitStore } from './limits/store.ts';
import type { Log } from './log/logger.ts';
import type { Releases } from './release/current-release.ts';
import { type BodyCache, serveProtected, servePublic } from './release/send.ts';
import { isProtected, parseTarget } from './target.ts';

/** The parts of a gateway. */
export interface Parts {
  readonly config: Pick<
    Config,
    'corsOrigins' | 'plans' | 'referenceUrl' | 'trustProxy' | 'failedKeysPerMinute'
  >;
  readonly releases: Releases;
  readonly bodies: BodyCache;
  readonly verifyKey: VerifyKey;
  readonly limits: LimitStore;
  readonly clock: Clock;
  readonly log: Log;
  /** The routes of the authentication service where it is embedded. */
  readonly authentication?: RequestHandler | undefined;
  /** Is called for each request that the limit of failed keys rejects. */
  readonly onFailedKey?: (() => void) | undefined;
}

/** The path of a request. Each middleware sends a response, with one of these statuses, or calls the next. */
export function createApp(parts: Parts): Express {
  const { config, releases, bodies, verifyKey, limits, clock, log } = parts;
  const failedKeys = limitFailedKeys(config.failedKeysPerMinute, clock, parts.onFailedKey);
  const app = createExpress(config.trustProxy);
  if (parts.authentication) app.use('/auth', noSniff, parts.authentication); // everything
  app.use(checkRequest(config)); // 204 to a preflight, 302, 400, 405
  app.use(servePublic(releases, bodies)); // 200, 304, 404
  app.use(requireKey(verifyKey, failedKeys, log)); // 401, 403, 429, 502
  app.use(limitRequests(config.plans, limits)); // 429
  app.use(serveProtected(releases, bodies)); // 200, 304, 404
  app.use(handleError(log)); // 500
  return app;
}

/** An Express app without the features that would add headers or work to each request. */
export function createExpress(trustProxy: Config['trustProxy']): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').disable('query parser');
  app.enable('case sensitive routing').set('trust proxy', trustProxy);
  return app;
}

/** Sets `X-Content-Type-Options: nosniff` for handlers that write their headers through Express. */
export const noSniff: Middleware = (_request, response, next) => {
  response.set(everyResponse);
  next();
};

/**
 * Checks what needs neither key nor release. Responds to preflights, to every method but GET, to requests without
 * exactly one host (RFC 9112, 3.2) or with the URL of no endpoint, and to the root.
 */
function checkRequest({ corsOrigins, referenceUrl }: Parts['config']): Middleware {
  const isPreflight = cors(corsOrigins);
  const redirect = toFields({
    ...everyResponse,
    Location: referenceUrl,
    'Cache-Control': cacheControl.public,
    'Content-Length': '0',
  });
  return (request, response, next) => {
    const { locals } = response;
    const target = parseTarget(request.url);
    locals.target = target;
    if (isPreflight(request, response)) return;
    if (request.method !== 'GET') return sendError(response, 'methodNotAllowed');
    if (target.kind === 'malformed' || !hasOneHost(request))
      return sendError(response, 'malformedUrl');
    if (target.kind === 'invalid-year') return sendError(response, 'invalidYear');
    if (target.kind !== 'root') return next();
    writeHead(response, 302, [...locals.fields, ...redirect]);
    response.end();
  };
}

/**
 * CORS for protected paths (Fetch standard, "CORS protocol"). Any other OPTIONS request is rejected as a method.
 *
 * @param allowed origins; `loopback` stands for all of this machine
 * @returns a function that adds header fields, and returns whether it responded to a preflight
 */
function cors(allowed: readonly string[]) {
  const { exposed, methods, accepted, age } = crossOriginFields;
  const preflight = toFields({
    ...everyResponse,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': accepted,
    'Access-Control-Max-Age': String(age),
  });
  return ({ headers, method }: Request, response: GatewayResponse): boolean => {
    const { locals } = response;
    if (allowed.length === 0 || !isProtected(locals.target)) return false;
    locals.fields = ['Vary', 'Origin'];
    const { origin, 'access-control-request-method': asked } = headers;
    if (origin === undefined || !isAllowed(origin, allowed)) return false;
    locals.fields = [
      ...['Vary', 'Origin', 'Access-Control-Allow-Origin', origin],
      ...['Access-Control-Expose-Headers', exposed],
    ];
    if (method !== 'OPTIONS' || asked === undefined) return false;
    writeHead(response, 204, [...locals.fields, ...preflight]);
    response.end();
    return true;
  };
}

function isAllowed(origin: string, allowed: readonly string[]): boolean {
  if (origin !== 'loopback' && allowed.includes(origin)) return true;
  const url = allowed.includes('loopback') && URL.canParse(origin) ? new URL(origin) : undefined;
  return url?.origin === origin && isLoopback(url.hostname);
}

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
