/** Who asks, and how often: requires a valid key, and limits requests by the plan of its account. */
import { hash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';
import type { Plans } from '../../build/release/plans.ts';
import type { Clock } from '../clock.ts';
import {
  type Fields,
  type Locals,
  type Middleware,
  requestDetails,
  sendError,
  type ValidKey,
} from '../http.ts';
import type { Decision } from '../limits/decision.ts';
import type { LimitStore } from '../limits/store.ts';
import { limitWindow, networkOf, noHeaders, windowStore } from '../limits/window.ts';
import type { Log } from '../log/logger.ts';

/** The result of a key check that the database or the service has answered. */
export type CompletedCheck = ValidKey | { readonly state: 'unknown' | 'expired' | 'revoked' };

/** The result of a key check. An outage is a state of its own, so that it never looks like an invalid key. */
export type KeyCheck = CompletedCheck | { readonly state: 'unavailable' };

/**
 * Checks a token. Returns the result at once if it is cached, so that the request continues without waiting. Never
 * rejects: a failure is `unavailable`.
 */
export type VerifyKey = (token: string) => KeyCheck | Promise<KeyCheck>;

/** SHA-256 of a token in hex: the database contains no token itself. */
export function digestOf(token: string): string {
  return hash('sha256', token, 'hex');
}

const maxChecks = 10_000;

/**
 * Caches the checks of any source of keys: for a while, and never past a key's expiry. Concurrent checks of one key
 * share a look-up. Failures are not cached. Rejected tokens have a cache of their own, so that a flood of them evicts no
 * valid key; it has their hashes, as they may be long. Valid keys need none: a hash is a tenth of a request.
 *
 * @param lookUp asks the source; it does not reject
 * @param ages milliseconds from the look-up for which valid and rejected keys are cached
 * @param canBeKey whether a token is looked up
 */
export function cached(
  lookUp: (token: string, digest: string) => Promise<KeyCheck>,
  ages: { readonly valid: number; readonly rejected: number },
  clock: Clock,
  canBeKey = (_token: string) => true,
): VerifyKey {
  // Without a resolution of 0, lru-cache would cache the time, too, by the system's clock.
  const options = { max: maxChecks, perf: { now: () => clock.elapsed() }, ttlResolution: 0 };
  const valid = new LRUCache<string, ValidKey>({ ...options, ttl: ages.valid });
  const rejected = new LRUCache<string, CompletedCheck>({ ...options, ttl: ages.rejected });
  const pending = new Map<string, Promise<KeyCheck>>();

  async function check(token: string, digest: string): Promise<KeyCheck> {
    // The age counts from here: a key may be revoked while the response is on its way.
    const start = clock.elapsed();
    const result = await lookUp(token, digest);
    pending.delete(digest);
    if (result.state === 'valid') valid.set(token, result, { start });
    else if (result.state !== 'unavailable') rejected.set(digest, result, { start });
    return result;
  }

  return (token) => {
    const known = valid.get(token);
    if (known && (known.expiresAt ?? Number.POSITIVE_INFINITY) > clock.now()) return known;
    if (!canBeKey(token)) return { state: 'unknown' };
    const digest = digestOf(token);
    const other = rejected.get(digest) ?? pending.get(digest);
    if (other) return other;
    const checking = check(token, digest);
    pending.set(digest, checking);
    return checking;
  };
}

/** Exactly `Bearer`, one space, and one token of the b64token alphabet (RFC 6750, 2.1). */
const bearer = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/;

/** Requires a valid API key (section 5 of the specification). Failed ones are up to `failedKeys`. */
export function requireKey(verifyKey: VerifyKey, failedKeys: RequestHandler, log: Log): Middleware {
  return (request, response, next) => {
    const { authorization } = request.headers;
    if (authorization === undefined) return sendError(response, 'missingKey');
    // Two headers are malformed: the server joins them by a comma, which no token contains.
    const token = bearer.exec(authorization)?.[1];
    if (token === undefined) return sendError(response, 'malformedAuthorization');
    const admit = (check: KeyCheck) => {
      if (check.state === 'valid') {
        response.locals.key = check;
        next();
      } else if (check.state === 'unavailable') {
        const details = requestDetails(response);
        log('A key could not be checked. The response was 502.', undefined, details);
        sendError(response, 'authenticationUnreachable');
      } else {
        void failedKeys(request, response, next);
      }
    };
    const check = verifyKey(token);
    return check instanceof Promise ? check.then(admit) : admit(check);
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
  const options = {
    windowMs,
    limit: perMinute,
    skip: () => perMinute === 0,
    store: windowStore(windowMs, clock),
    keyGenerator: ({ ip = '' }: Request) => networkOf(ip),
  };
  const limit = limitWindow(options, clock, (response, seconds) => {
    onLimited();
    sendError(response, 'rateLimitExceeded', { 'Retry-After': String(seconds) });
  });
  return (request, response, next) =>
    limit(request, response, (error) => (error ? next(error) : sendError(response, 'invalidKey')));
}

/**
 * Limits requests by the plan of their account (section 8 of the specification), and adds the RateLimit fields. The key
 * has been checked. Our store decides on rate and quota in one step: express-rate-limit skips the requests that it
 * accepts, and sends a 429 to the others, as their limit is 0.
 */
export function limitRequests(plans: Plans, limits: LimitStore): RequestHandler {
  function isWithinPlan(locals: Locals): boolean | Promise<boolean> {
    const { account, plan: name, keyId } = locals.key;
    const plan = plans[name];
    if (!plan) throw new Error(`A key is on the plan "${name}", which is not configured.`);
    const addFields = (decision: Decision) => {
      locals.fields = [...locals.fields, ...rateLimitFields(decision)];
      return decision.accepted;
    };
    const decision = limits.take(account, plan, keyId);
    return decision instanceof Promise ? decision.then(addFields) : addFields(decision);
  }

  return rateLimit({
    ...noHeaders,
    limit: 0,
    skip: (_request, { locals }) => isWithinPlan(locals as Locals),
    store: {
      increment: () => ({ totalHits: 1, resetTime: undefined }),
      decrement() {},
      resetKey() {},
    },
    handler: (_request, response) => sendError(response, 'rateLimitExceeded'),
  });
}

/**
 * The header fields that show what is left: `RateLimit-Policy` and `RateLimit` in the form of
 * draft-ietf-httpapi-ratelimit-headers-08, and on a 429 `Retry-After` (RFC 9110, 10.2.3). The limit that is closest to
 * its end comes first, so that the first item of `RateLimit` and `Retry-After` name the same moment.
 */
export function rateLimitFields({ accepted, rate, quota, wait }: Decision): Fields {
  const items = [
    [`"rate";q=${rate.limit};w=${rate.span}`, `"rate";r=${rate.remaining};t=${rate.reset}`],
    [`"quota";q=${quota.limit};w=${quota.span}`, `"quota";r=${quota.remaining};t=${quota.reset}`],
  ] as const;
  // A spent quota outlasts a spent rate: a retry after a second would be rejected again.
  const [first, second] = quota.remaining === 0 ? [items[1], items[0]] : items;
  const policy = ['RateLimit-Policy', `${first[0]}, ${second[0]}`];
  const fields = [...policy, 'RateLimit', `${first[1]}, ${second[1]}`];
  return accepted ? fields : [...fields, 'Retry-After', String(wait)];
}
