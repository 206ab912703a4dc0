import { rateLimit } from 'express-rate-limit';
import type { Plans } from '../../build/release/plans.ts';
import { type GatewayResponse, type Middleware, sendError, toFields } from '../http.ts';
import type { Decision, LimitState } from './decision.ts';
import type { LimitStore } from './store.ts';

/**
 * Limits requests by the plan of their account (section 8 of the specification), and adds the RateLimit fields. The key
 * has been checked: it names account and plan.
 *
 * express-rate-limit asks our store in `skip`, whose decision is final: it lets an accepted request pass, and sends the
 * 429 to any other. Its own `Store` returns one count for one name, while ours decides on rate and quota in one step;
 * asked through that interface, it would also add four per cent to the time of each accepted request.
 */
export function limitRequests(plans: Plans, store: LimitStore): Middleware {
  function isAccepted({ locals }: GatewayResponse): boolean | Promise<boolean> {
    const { account, plan: name, keyId } = locals.key;
    const plan = plans[name];
    if (!plan) throw new Error(`A key is on the plan "${name}", which is not configured.`);
    const addFields = (decision: Decision): boolean => {
      locals.fields = [...locals.fields, ...toFields(rateLimitFields(decision))];
      return decision.accepted;
    };
    const decision = store.take(account, plan, keyId);
    return decision instanceof Promise ? decision.then(addFields) : addFields(decision);
  }

  return rateLimit({
    skip: (_request, response) => isAccepted(response as GatewayResponse),
    // Whoever is not skipped has been rejected, so that the first hit is over the limit.
    limit: 0,
    validate: { limit: false },
    keyGenerator: (_request, response) => (response as GatewayResponse).locals.key.account,
    store: { increment: () => ({ totalHits: 1, resetTime: undefined }), decrement() {}, resetKey() {} },
    // The headers of express-rate-limit describe one limit; ours describe rate and quota.
    standardHeaders: false,
    legacyHeaders: false,
    handler: (_request, response) => sendError(response, 'rateLimitExceeded'),
  });
}

/**
 * The header fields that show what is left: `RateLimit-Policy` and `RateLimit` in the form of
 * draft-ietf-httpapi-ratelimit-headers-08, and on a 429 `Retry-After` (RFC 9110, 10.2.3). The limit that is closest to
 * its end comes first, so that the first item of `RateLimit` and `Retry-After` name the same moment.
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
