import type { RequestHandler } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
import type { Plans } from '../../build/release/plans.ts';
import { type Fields, type Locals, sendError } from '../http.ts';
import type { Decision } from './decision.ts';
import type { LimitStore } from './store.ts';

/**
 * Limits requests by the plan of their account (section 8 of the specification), and adds the RateLimit fields. The key
 * has been checked: it names account and plan. express-rate-limit asks our store, which decides on rate and quota in one
 * step and counts a hit of two for what it rejects, and sends the 429.
 */
export function limitRequests(plans: Plans, limits: LimitStore): RequestHandler {
  const store = {
    // What identifies a request here is its own state: our store needs the plan, and sets header fields.
    async increment(locals: unknown) {
      return { totalHits: await hitsOf(locals as Locals), resetTime: undefined };
    },
    decrement() {},
    resetKey() {},
  };

  async function hitsOf(locals: Locals): Promise<1 | 2> {
    const { account, plan: name, keyId } = locals.key;
    const plan = plans[name];
    if (!plan) throw new Error(`A key is on the plan "${name}", which is not configured.`);
    const decision = await limits.take(account, plan, keyId);
    locals.fields = [...locals.fields, ...rateLimitFields(decision)];
    return decision.accepted ? 1 : 2;
  }

  return rateLimit({
    limit: 1,
    store: store as Store,
    keyGenerator: (_request, { locals }) => locals as never,
    // The headers of express-rate-limit describe one limit; ours describe rate and quota.
    standardHeaders: false,
    legacyHeaders: false,
    validate: false,
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
  const fields = [
    'RateLimit-Policy',
    `${first[0]}, ${second[0]}`,
    'RateLimit',
    `${first[1]}, ${second[1]}`,
  ];
  return accepted ? fields : [...fields, 'Retry-After', String(wait)];
}
