import { rateLimit } from 'express-rate-limit';
import type { Plan, Plans } from '../../build/release/plans.ts';
import { type Fields, type GatewayResponse, type Middleware, sendError } from '../http.ts';
import type { Decision } from './decision.ts';
import type { LimitStore } from './store.ts';

/**
 * Limits requests by the plan of their account (section 8 of the specification), and adds the RateLimit fields. The key
 * has been checked: it names account and plan.
 *
 * A request that our store accepts at once goes on. Any other is up to express-rate-limit: it waits for a decision that
 * has to be looked up, and lets the request pass or sends the 429. It is asynchronous throughout, which would add six per
 * cent to the time of each request. Its own `Store` returns one count for one name, while ours decides on rate and quota
 * in one step.
 */
export function limitRequests(plans: Plans, store: LimitStore): Middleware {
  const policyOf = knownPolicies();

  function isAccepted({ locals }: GatewayResponse): boolean | Promise<boolean> {
    const { account, plan: name, keyId } = locals.key;
    const plan = plans[name];
    if (!plan) throw new Error(`A key is on the plan "${name}", which is not configured.`);
    const addFields = (decision: Decision): boolean => {
      locals.fields = [...locals.fields, ...rateLimitFields(decision, policyOf(plan, decision))];
      return decision.accepted;
    };
    const decision = store.take(account, plan, keyId);
    return decision instanceof Promise ? decision.then(addFields) : addFields(decision);
  }

  const limiter = rateLimit({
    skip: (_request, response) => (response as GatewayResponse).locals.accepted,
    // Whoever is not skipped has been rejected, so that the first hit is over the limit.
    limit: 0,
    validate: { limit: false },
    keyGenerator: (_request, response) => (response as GatewayResponse).locals.key.account,
    store: {
      increment: () => ({ totalHits: 1, resetTime: undefined }),
      decrement() {},
      resetKey() {},
    },
    // The headers of express-rate-limit describe one limit; ours describe rate and quota.
    standardHeaders: false,
    legacyHeaders: false,
    handler: (_request, response) => sendError(response, 'rateLimitExceeded'),
  });
  return (request, response, next) => {
    const accepted = isAccepted(response);
    if (accepted === true) return next();
    response.locals.accepted = accepted;
    return limiter(request, response, next);
  };
}

/**
 * The header fields that show what is left: `RateLimit-Policy` and `RateLimit` in the form of
 * draft-ietf-httpapi-ratelimit-headers-08, and on a 429 `Retry-After` (RFC 9110, 10.2.3). The limit that is closest to
 * its end comes first, so that the first item of `RateLimit` and `Retry-After` name the same moment.
 */
export function rateLimitFields(decision: Decision, policy = policyFor(decision)): Fields {
  const { accepted, rate, quota, wait } = decision;
  const rateLeft = `"rate";r=${rate.remaining};t=${rate.reset}`;
  const quotaLeft = `"quota";r=${quota.remaining};t=${quota.reset}`;
  const fields = ['RateLimit-Policy', policy, 'RateLimit', inOrder(decision, rateLeft, quotaLeft)];
  return accepted ? fields : [...fields, 'Retry-After', String(wait)];
}

/** A spent quota outlasts a spent rate: a retry after a second would be rejected again. */
function inOrder({ quota }: Decision, ofRate: string, ofQuota: string): string {
  return quota.remaining === 0 ? `${ofQuota}, ${ofRate}` : `${ofRate}, ${ofQuota}`;
}

function policyFor(decision: Decision): string {
  const { rate, quota } = decision;
  return inOrder(
    decision,
    `"rate";q=${rate.limit};w=${rate.span}`,
    `"quota";q=${quota.limit};w=${quota.span}`,
  );
}

/**
 * The policy of a plan, written once a month: writing it takes two per cent of the time of a request. SIGHUP replaces
 * the plan.
 */
function knownPolicies(): (plan: Plan, decision: Decision) => string {
  const known = new WeakMap<Plan, { readonly span: number; readonly policy: string }>();
  return (plan, decision) => {
    const { span, remaining } = decision.quota;
    const last = known.get(plan);
    if (last?.span === span && remaining > 0) return last.policy;
    const policy = policyFor(decision);
    if (remaining > 0) known.set(plan, { span, policy });
    return policy;
  };
}
