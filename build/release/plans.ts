/** The limits of an account. */
export interface Plan {
  /** Requests in any one second. */
  readonly perSecond: number;
  /** Requests in a calendar month, UTC. */
  readonly perMonth: number;
}

/** By name. */
export type Plans = Readonly<Record<string, Plan>>;

/** Section 8 of the specification. Used by the gateway unless `PLANS` is set, and shown in the reference. */
export const defaultPlans = { free: { perSecond: 2, perMonth: 1000 } } as const satisfies Plans;
