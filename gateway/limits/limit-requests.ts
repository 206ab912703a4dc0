import type { Request, RequestHandler } from 'express';
import { type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import type { Plan, Plans } from '../../build/release/plans.ts';
import { type GatewayResponse, type Middleware, sendError, toFields } from '../http.ts';
import type { Decision, LimitState } from './decision.ts';
import type { LimitStore } from './store.ts';

declare module 'express-serve-static-core' {
  interface Request {
    rateLimit?: RateLimitInfo;
  }
}

/**
 * Limits requests by the plan of their account (section 8 of the specification), and adds the RateLimit fields. The key
 * has been checked: it names account and plan.
 */
export function limitRequests(plans: Plans, store: LimitStore): Middleware {
  const limiters = new Map(Object.entries(plans).map(([name, plan]) => [name, createLimiter(plan, store)]));
  return (request, response, next) => {
    const { plan } = response.locals.key;
    const limit = limiters.get(plan);
    if (!limit) throw new Error(`A key is on the plan "${plan}", which is not in the table of plans.`);
    return limit(request, response, (error) => {
      addRateLimitFields(request, response);
      next(error);
    });
  };
}

/**
 * A `resetTime` that carries the decision: it is the one value of a store that express-rate-limit passes on unchanged. A
 * WeakMap beside it would cost each request a tenth more time, in garbage collection.
 */
type DecisionTime = Date & { decision?: Decision };

/** One per plan, because express-rate-limit passes nothing but the account to its store. */
function createLimiter(plan: Plan, store: LimitStore): RequestHandler {
  return rateLimit({
    windowMs: 1000,
    limit: plan.perSecond,
    keyGenerator: (_request, response) => (response as GatewayResponse).locals.key.account,
    store: planStore(plan, store),
    // The headers of express-rate-limit describe one limit; ours describe rate and quota.
    standardHeaders: false,
    legacyHeaders: false,
    handler: (request, response) => {
      addRateLimitFields(request, response as GatewayResponse);
      sendError(response, 'rateLimitExceeded');
    },
  });
}

/** Passes our decision on rate and quota together to express-rate-limit, as hits of a window. */
function planStore(plan: Plan, store: LimitStore): Store {
  function hitsOf(decision: Decision): { totalHits: number; resetTime: Date } {
    const { limit, remaining } = decision.rate;
    const resetTime: DecisionTime = new Date(0);
    resetTime.decision = decision;
    return { totalHits: decision.accepted ? limit - remaining : limit + 1, resetTime };
  }

  return {
    increment(account) {
      const decision = store.take(account, plan);
      return decision instanceof Promise ? decision.then(hitsOf) : hitsOf(decision);
    },
    // Accepted requests count whatever their response.
    decrement() {},
    resetKey() {},
  };
}

/** Adds nothing if the store has failed. */
function addRateLimitFields({ rateLimit }: Request, { locals }: GatewayResponse): void {
  const decision = (rateLimit?.resetTime as DecisionTime | undefined)?.decision;
  if (decision) locals.fields = [...locals.fields, ...toFields(rateLimitFields(decision))];
}

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
