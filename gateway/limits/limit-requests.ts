import type { Request, RequestHandler } from 'express';
import { type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import type { Plan, Plans } from '../../build/release/plans.ts';
import { type GatewayResponse, refuse, type Step, toFields } from '../http.ts';
import type { Decision } from './decision.ts';
import { rateLimitFields } from './fields.ts';
import type { LimitStore } from './store.ts';

declare module 'express-serve-static-core' {
  interface Request {
    rateLimit?: RateLimitInfo;
  }
}

/**
 * Lets a request on if its account's plan has one left (section 8 of the specification), and tells how
 * the account stands. The key has been checked: it names account and plan.
 */
export function limitRequests(plans: Plans, store: LimitStore): Step {
  const limiters = new Map(Object.entries(plans).map(([name, plan]) => [name, limiter(plan, store)]));
  return (request, response, next) => {
    const { plan } = response.locals.key;
    const limit = limiters.get(plan);
    if (!limit) throw new Error(`A key is on the plan "${plan}", which is not in the table of plans.`);
    return limit(request, response, (error) => {
      tellStanding(request, response);
      next(error);
    });
  };
}

/** One per plan: express-rate-limit asks its store by account alone. */
function limiter(plan: Plan, store: LimitStore): RequestHandler {
  return rateLimit({
    windowMs: 1000,
    limit: plan.perSecond,
    keyGenerator: (_request, response) => (response as GatewayResponse).locals.key.account,
    store: new PlanStore(plan, store),
    // Theirs know one limit; ours tell of rate and quota.
    standardHeaders: false,
    legacyHeaders: false,
    handler: (request, response) => {
      tellStanding(request, response as GatewayResponse);
      refuse(response, 'rateLimitExceeded');
    },
  });
}

interface Hits {
  readonly totalHits: number;
  readonly resetTime: ResetTime;
}

function hitsOf(decision: Decision): Hits {
  const { limit, remaining } = decision.rate;
  return {
    totalHits: decision.accepted ? limit - remaining : limit + 1,
    resetTime: new ResetTime(decision),
  };
}

/** What express-rate-limit asks for, answered by our own decision on rate and quota together. */
class PlanStore implements Store {
  readonly #plan: Plan;
  readonly #store: LimitStore;

  constructor(plan: Plan, store: LimitStore) {
    this.#plan = plan;
    this.#store = store;
  }

  increment(account: string): Hits | Promise<Hits> {
    const decision = this.#store.take(account, this.#plan);
    return decision instanceof Promise ? decision.then(hitsOf) : hitsOf(decision);
  }

  /** Nothing is given back: an accepted request counts whatever its answer. */
  decrement(): void {}

  /** Usage is not the limiter's to erase. */
  resetKey(): void {}
}

/**
 * The one thing of a store's answer that express-rate-limit hands on as it is: it takes the decision along. No one reads
 * its time.
 */
class ResetTime extends Date {
  readonly decision: Decision;

  constructor(decision: Decision) {
    super(0);
    this.decision = decision;
  }
}

/** Nothing is known of it where the store has failed. */
function tellStanding({ rateLimit }: Request, { locals }: GatewayResponse): void {
  if (!(rateLimit?.resetTime instanceof ResetTime)) return;
  locals.fields = [...locals.fields, ...toFields(rateLimitFields(rateLimit.resetTime.decision))];
}
