import type { NextFunction, Request } from 'express';
import { rateLimit } from 'express-rate-limit';
import type { Plans } from '../../build/release/plans.ts';
import { type GatewayResponse, type Middleware, sendError, toFields } from '../http.ts';
import type { Decision, LimitState } from './decision.ts';
import type { LimitStore } from './store.ts';

/**
 * Limits requests by the plan of their account (section 8 of the specification), and adds the RateLimit fields. The key
 * has been checked: it names account and plan.
 */
export function limitRequests(plans: Plans, store: LimitStore): Middleware {
  const byName = new Map(Object.entries(plans));
  return (request, response, next) => {
    const { account, plan: name, keyId } = response.locals.key;
    const plan = byName.get(name);
    if (!plan) throw new Error(`A key is on the plan "${name}", which is not configured.`);
    const decision = store.take(account, plan, keyId);
    if (!(decision instanceof Promise)) return apply(decision, request, response, next);
    return decision.then((decided) => apply(decided, request, response, next));
  };
}

function apply(decision: Decision, request: Request, response: GatewayResponse, next: NextFunction): unknown {
  const { locals } = response;
  locals.fields = [...locals.fields, ...toFields(rateLimitFields(decision))];
  return decision.accepted ? next() : rejectOne(request, response, next);
}

/**
 * express-rate-limit, for requests that our decision on rate and quota does not accept. It would decide, too, but each of
 * its steps is a promise, and nearly all requests are accepted at once.
 */
const rejectOne = rateLimit({
  limit: 0,
  // A limit of 0 is meant.
  validate: { limit: false },
  keyGenerator: (_request, response) => (response as GatewayResponse).locals.key.account,
  store: { increment: () => ({ totalHits: 1, resetTime: undefined }), decrement() {}, resetKey() {} },
  // The headers of express-rate-limit describe one limit; ours describe rate and quota.
  standardHeaders: false,
  legacyHeaders: false,
  handler: (_request, response) => sendError(response, 'rateLimitExceeded'),
});

/**
 * The header fields that show what is left: `RateLimit-Policy` and `RateLimit` in the form of
 * draft-ietf-httpapi-ratelimit-headers-08, and on a 429 `Retry-After` (RFC 9110, 10.2.3). The limit that is closest to its
 * end comes first, so that the first item of `RateLimit` and `Retry-After` name the same moment.
 */
export function rateLimitFields({ accepted, rate, quota, wait }: Decision): Record<string, string> {
  // A spent quota outlasts a spent rate: a retry after a second would be rejected again.
  const quotaFirst = quota.remaining === 0;
  const policy = inOrder(policyOf('rate', rate), policyOf('quota', quota), quotaFirst);
  const state = inOrder(stateOf('rate', rate), stateOf('quota', quota), quotaFirst);
  const fields = { 'RateLimit-Policy': policy, RateLimit: state };
  return accepted ? fields : { ...fields, 'Retry-After': String(wait) };
}

function inOrder(rate: string, quota: string, quotaFirst: boolean): string {
  return quotaFirst ? `${quota}, ${rate}` : `${rate}, ${quota}`;
}

function policyOf(name: string, { limit, span }: LimitState): string {
  return `"${name}";q=${limit};w=${span}`;
}

function stateOf(name: string, { remaining, reset }: LimitState): string {
  return `"${name}";r=${remaining};t=${reset}`;
}
