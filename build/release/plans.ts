/** What an account may do. A tier is a row of the table of plans. */
export interface Plan {
  /** Requests in any one second. */
  readonly perSecond: number;
  /** Requests in a calendar month, UTC. */
  readonly perMonth: number;
}

/** By name. */
export type Plans = Readonly<Record<string, Plan>>;

/** Section 8 of the specification. A gateway limits by it where `PLANS` names no other; the reference tells it. */
export const defaultPlans = { free: { perSecond: 2, perMonth: 1000 } } as const satisfies Plans;
