import type { Plans } from '../../../build/release/plans.ts';
import { RequestError } from '../request-error.ts';

/** @throws RequestError when there is no such plan */
export function requirePlan(plans: Plans, plan: string): void {
  if (Object.hasOwn(plans, plan)) return;
  throw new RequestError(`There is no plan "${plan}"; there are ${Object.keys(plans).join(', ')}.`);
}
