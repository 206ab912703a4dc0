import type { Plan } from '../../build/release/plans.ts';
import type { Clock } from '../clock.ts';

interface Calendar {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** `YYYY-MM` */
  readonly month: string;
  /** When the month ends: milliseconds since 1970. */
  readonly monthEnd: number;
  readonly monthSpan: number;
}

/** A month that usage can be asked for, `YYYY-MM`. */
export const monthPattern = /^[12]\d{3}-(0[1-9]|1[0-2])$/;

const dayLength = 86_400_000;

let today: Calendar | undefined;
let todayFrom = Number.POSITIVE_INFINITY;

/**
 * The calendar of a moment. Cached for the day, because nearly every request needs today's.
 *
 * @param now milliseconds since 1970, UTC
 */
export function calendarOf(now: number): Calendar {
  if (today && now >= todayFrom && now < todayFrom + dayLength) return today;
  const date = new Date(now);
  const iso = date.toISOString();
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const monthEnd = Date.UTC(year, month + 1);
  today = {
    day: iso.slice(0, 'YYYY-MM-DD'.length),
    month: iso.slice(0, 'YYYY-MM'.length),
    monthEnd,
    monthSpan: (monthEnd - Date.UTC(year, month)) / 1000,
  };
  todayFrom = Date.UTC(year, month, date.getUTCDate());
  return today;
}

/** Microseconds of the sliding window, in which at most `perSecond` requests are accepted. */
const second = 1_000_000;

/** What an account has used of its plan. */
export interface Usage {
  /** When the last accepted requests arrived, on a clock that never goes back; whole microseconds. */
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
interface Moment {
  /** Wall clock: milliseconds since 1970, UTC. */
  readonly now: number;
  /** A clock that never goes back; whole microseconds. */
  readonly microseconds: number;
}

/** The clock of rate limits: whole microseconds, as in Redis, so that sums and differences are exact. */
export function microsecondsOf(clock: Clock): number {
  return Math.round(clock.elapsed() * 1000);
}

/** Whether a request is accepted, and what is left of the plan afterwards. */
export interface Decision {
  readonly accepted: boolean;
  readonly rate: LimitState;
  readonly quota: LimitState;
  /** Seconds until the next request can be accepted, rounded up; 0: now. */
  readonly wait: number;
}

/** What becomes of a request: it is counted against the quota, or rejected by a limit. */
export type Outcome = 'used' | 'rejectedByRate' | 'rejectedByQuota';

/** Returns the outcome of a request. If both limits reject it, the quota counts, because it lasts longer. */
export function outcomeOf({ accepted, quota }: Decision): Outcome {
  if (accepted) return 'used';
  return quota.remaining === 0 ? 'rejectedByQuota' : 'rejectedByRate';
}

/** What is left of one limit. */
export interface LimitState {
  readonly limit: number;
  /** Requests left. */
  readonly remaining: number;
  /** Seconds until more requests are left, rounded up. */
  readonly reset: number;
  /** Seconds of the limit's window. */
  readonly span: number;
}

/**
 * Decides on one request: rate and quota in one step, so that a rejected request uses neither.
 *
 * @param usage is updated if the request is accepted
 */
export function decide(usage: Usage, plan: Plan, { now, microseconds }: Moment): Decision {
  const { recent } = usage;
  const { month } = calendarOf(now);
  if (usage.month !== month) {
    usage.month = month;
    usage.used = 0;
  }
  recent.removeUntil(microseconds - second);
  const accepted = recent.length < plan.perSecond && usage.used < plan.perMonth;
  if (accepted) {
    recent.add(microseconds);
    usage.used += 1;
  }
  // With nothing left, the next request waits for the oldest of the last `perSecond` to leave the window.
  const leaving = recent.at(Math.max(0, recent.length - plan.perSecond));
  const leavesIn = leaving === undefined ? 0 : leaving + second - microseconds;
  return decisionOf(
    accepted,
    rateState(plan, recent.length, leavesIn),
    quotaState(plan, usage.used, now),
  );
}

/** The decision of any store. */
export function decisionOf(accepted: boolean, rate: LimitState, quota: LimitState): Decision {
  return { accepted, rate, quota, wait: Math.max(waitFor(rate), waitFor(quota)) };
}

function waitFor({ remaining, reset }: LimitState): number {
  return remaining > 0 ? 0 : reset;
}

/**
 * @param taken requests accepted in the last second
 * @param leavesIn microseconds until that one of them leaves the window that the next request waits for; 0 if none does
 */
export function rateState({ perSecond }: Plan, taken: number, leavesIn: number): LimitState {
  const remaining = Math.max(0, perSecond - taken);
  return { limit: perSecond, remaining, reset: Math.ceil(leavesIn / second), span: 1 };
}

/** @param used requests accepted in the month @param now milliseconds since 1970, UTC */
export function quotaState({ perMonth }: Plan, used: number, now: number): LimitState {
  const { monthEnd, monthSpan } = calendarOf(now);
  return {
    limit: perMonth,
    remaining: Math.max(0, perMonth - used),
    reset: Math.ceil((monthEnd - now) / 1000),
    span: monthSpan,
  };
}

/**
 * Times in ascending order. The removed ones are cut off when they are half of the array: a busy account has thousands.
 */
export class RecentTimes {
  #times: number[] = [];
  /** Index of the oldest. */
  #first = 0;

  get length(): number {
    return this.#times.length - this.#first;
  }

  /** @param index from 0, the oldest */
  at(index: number): number | undefined {
    return this.#times[this.#first + index];
  }

  /** @param time not before the last one */
  add(time: number): void {
    this.#times.push(time);
  }

  /** Removes the times up to `time`, inclusive. */
  removeUntil(time: number): void {
    while ((this.#times[this.#first] ?? Number.POSITIVE_INFINITY) <= time) this.#first += 1;
    if (this.#first === 0 || this.#first < this.length) return;
    this.#times = this.#times.slice(this.#first);
    this.#first = 0;
  }
}
