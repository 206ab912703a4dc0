import type { Request, RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import type { Clock } from '../clock.ts';
import { type Middleware, requestDetails, sendError } from '../http.ts';
import type { VerifyKey } from '../key-check.ts';
import { waitOf, windowStore } from '../limits/window.ts';
import type { Log } from '../log/logger.ts';
import { networkOf } from './network.ts';

/** Exactly `Bearer`, one space, and one token of the b64token alphabet (RFC 6750, 2.1). */
const bearer = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/;

/** Requires a valid API key (section 5 of the specification). Failed ones are up to `failedKeys`. */
export function requireKey(verifyKey: VerifyKey, failedKeys: RequestHandler, log: Log): Middleware {
  return async (request, response, next) => {
    const { authorization } = request.headers;
    if (authorization === undefined) return sendError(response, 'missingKey');
    // Two headers are malformed: the server joins them by a comma, which no token contains.
    const token = bearer.exec(authorization)?.[1];
    if (token === undefined) return sendError(response, 'malformedAuthorization');
    const checking = verifyKey(token);
    const check = checking instanceof Promise ? await checking : checking;
    if (check.state === 'valid') {
      response.locals.key = check;
      return next();
    }
    if (check.state !== 'unavailable') {
      failedKeys(request, response, next);
      return;
    }
    log('A key could not be checked. The response was 502.', undefined, requestDetails(response));
    return sendError(response, 'authenticationUnreachable');
  };
}

/** Milliseconds of the window in which failed keys are counted. */
const windowMs = 60_000;

/**
 * Responds to requests whose key is unknown, expired or revoked: with 403, or with 429 once an address has sent too many
 * in a minute. Requests with a valid key from that address are not affected.
 *
 * @param perMinute limit of one address, or one /64 network of IPv6; 0: no limit
 * @param onLimited is called for each 429
 */
export function limitFailedKeys(
  perMinute: number,
  clock: Clock,
  onLimited: () => void = () => {},
): RequestHandler {
  const limit = rateLimit({
    windowMs,
    limit: perMinute,
    skip: () => perMinute === 0,
    store: windowStore(windowMs, clock),
    keyGenerator: ({ ip = '' }) => networkOf(ip),
    standardHeaders: false,
    legacyHeaders: false,
    validate: false,
    handler(request, response) {
      onLimited();
      const { resetTime } = (request as Request & { rateLimit: { resetTime?: Date } }).rateLimit;
      sendError(response, 'rateLimitExceeded', { 'Retry-After': `${waitOf(resetTime, clock)}` });
    },
  });
  return (request, response, next) =>
    limit(request, response, (error) => (error ? next(error) : sendError(response, 'invalidKey')));
}
