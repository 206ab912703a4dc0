/** The limits of an account. */
export interface Plan {
  /** Requests in any one second. */
  readonly perSecond: number;
  /** Requests in a calendar month, UTC. */
  readonly perMonth: number;
}

/** By name. */
export type Plans = Readonly<Record<string, Plan>>;

/** Section 8 of the specification: the plans of a bank that configures none. */
export const defaultPlans = { free: { perSecond: 2, perMonth: 1000 } } as const satisfies Plans;

/** The plan of accounts without a plan of their own: `free`, or the first of the table. */
export function defaultPlan(plans: Plans): string {
  const [first = 'free'] = Object.keys(plans);
  return Object.hasOwn(plans, 'free') ? 'free' : first;
}
