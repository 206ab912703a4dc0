import type { Plan } from '../../build/release/plans.ts';
import { calendarOf } from './calendar.ts';
import { RecentTimes } from './recent-times.ts';

/** Microseconds of a second: the span in which at most `perSecond` requests are accepted, wherever it begins. */
const second = 1_000_000;

/** What an account has used of its plan. */
export interface Usage {
  /** When the last accepted requests came, on a clock that never goes back; whole microseconds. */
  readonly recent: RecentTimes;
  /** The calendar month that `used` counts, `YYYY-MM` in UTC. */
  month: string;
  /** Requests accepted in that month. */
  used: number;
}

/** The usage of an account in a month, without requests in the last second. */
export function usageOf(month: string, used: number): Usage {
  return { recent: new RecentTimes(), month, used };
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
 * @param usage what an accepted request uses is added to it
 */
export function decide(usage: Usage, plan: Plan, { now, elapsed }: Moment): Decision {
  const { recent } = usage;
  const { month } = calendarOf(now);
  if (usage.month !== month) {
    usage.month = month;
    usage.used = 0;
  }
  recent.forgetUntil(elapsed - second);
  const accepted = recent.length < plan.perSecond && usage.used < plan.perMonth;
  if (accepted) {
    recent.add(elapsed);
    usage.used += 1;
  }
  // With nothing left, the next request waits for the oldest of the last `perSecond` to leave the window.
  const leaving = recent.at(Math.max(0, recent.length - plan.perSecond));
  const leavesIn = leaving === undefined ? 0 : leaving + second - elapsed;
  return decisionOf(
    accepted,
    rateStanding(plan, recent.length, leavesIn),
    quotaStanding(plan, usage.used, now),
  );
}

/** Puts together what was decided, wherever the usage is kept. */
export function decisionOf(accepted: boolean, rate: Standing, quota: Standing): Decision {
  return { accepted, rate, quota, wait: Math.max(waitFor(rate), waitFor(quota)) };
}

function waitFor({ remaining, reset }: Standing): number {
  return remaining > 0 ? 0 : reset;
}

/**
 * @param taken requests accepted in the last second
 * @param leavesIn microseconds until the one of them leaves it that a next request waits for; 0 where there is none
 */
export function rateStanding({ perSecond }: Plan, taken: number, leavesIn: number): Standing {
  const remaining = Math.max(0, perSecond - taken);
  return { limit: perSecond, remaining, reset: Math.ceil(leavesIn / second), span: 1 };
}

/**
 * @param used requests accepted in the month
 * @param now milliseconds since 1970, UTC
 */
export function quotaStanding({ perMonth }: Plan, used: number, now: number): Standing {
  const { monthEnd, monthSpan } = calendarOf(now);
  return {
    limit: perMonth,
    remaining: Math.max(0, perMonth - used),
    reset: Math.ceil((monthEnd - now) / 1000),
    span: monthSpan,
  };
}
