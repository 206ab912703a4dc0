import type { Plan } from '../../build/release/plans.ts';

/** Microseconds of a second: the span in which at most `perSecond` requests are accepted, wherever it begins. */
const second = 1_000_000;

/** What an account has used of its plan. */
export interface Usage {
  /** When the last accepted requests came, oldest first, on a clock that never goes back; whole microseconds. */
  readonly recent: readonly number[];
  /** The calendar month that `used` counts, `YYYY-MM` in UTC. */
  readonly month: string;
  /** Requests accepted in that month. */
  readonly used: number;
}

/** The moment of a request, on both clocks. */
export interface Moment {
  /** Wall clock: milliseconds since 1970, UTC. */
  readonly now: number;
  /** A clock that never goes back; whole microseconds. */
  readonly elapsed: number;
}

/** How a request stands to its plan, after it was decided on. */
export interface Decision {
  readonly accepted: boolean;
  readonly rate: Standing;
  readonly quota: Standing;
  /** Seconds until a next request can be accepted, rounded up; 0: at once. */
  readonly wait: number;
}

/** How one limit stands. */
export interface Standing {
  readonly limit: number;
  /** Requests left. */
  readonly remaining: number;
  /** Seconds until more are left, rounded up. */
  readonly reset: number;
  /** Seconds that the limit spans. */
  readonly span: number;
}

/**
 * Decides on one request: rate and quota in one step, so that a refused request spends neither.
 *
 * @returns the decision, and the usage to go on with
 */
export function decide(usage: Usage, plan: Plan, { now, elapsed }: Moment): [Decision, Usage] {
  const month = monthOf(now);
  const used = usage.month === month ? usage.used : 0;
  const recent = usage.recent.filter((time) => elapsed - time < second);
  const accepted = recent.length < plan.perSecond && used < plan.perMonth;
  const after: Usage = accepted
    ? { recent: [...recent, elapsed], month, used: used + 1 }
    : { recent, month, used };
  const rate = rateStanding(after, plan, elapsed);
  const quota = quotaStanding(after, plan, now);
  return [{ accepted, rate, quota, wait: Math.max(waitFor(rate), waitFor(quota)) }, after];
}

/** The calendar month of a moment, `YYYY-MM` in UTC. */
export function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, 'YYYY-MM'.length);
}

/** The day of a moment, `YYYY-MM-DD` in UTC. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

function waitFor({ remaining, reset }: Standing): number {
  return remaining > 0 ? 0 : reset;
}

function rateStanding({ recent }: Usage, { perSecond }: Plan, elapsed: number): Standing {
  const remaining = Math.max(0, perSecond - recent.length);
  // With nothing left, the next request waits for the oldest of the last `perSecond` to leave the window.
  const leaving = recent[Math.max(0, recent.length - perSecond)];
  const reset = leaving === undefined ? 0 : Math.ceil((leaving + second - elapsed) / second);
  return { limit: perSecond, remaining, reset, span: 1 };
}

function quotaStanding({ used }: Usage, { perMonth }: Plan, now: number): Standing {
  const date = new Date(now);
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return {
    limit: perMonth,
    remaining: Math.max(0, perMonth - used),
    reset: Math.ceil((end - now) / 1000),
    span: (end - start) / 1000,
  };
}
