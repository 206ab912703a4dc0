import type { Plan } from '../../build/release/plans.ts';
import type { Decision } from './decision.ts';

/** Where usage is kept. Every store decides the same way, on rate and quota in one atomic step. */
export interface LimitStore {
  /** Decides on one request of an account, and counts it if it is accepted; at once where it can. */
  take(account: string, plan: Plan): Decision | Promise<Decision>;
  /** Puts everything counted where it lasts. */
  close(): Promise<void>;
}
