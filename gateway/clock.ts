/** The time, as a parameter, so that tests can set it. */
export interface Clock {
  /** Wall clock: milliseconds since 1970 in UTC. It may be set back. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

/** The day and month of a moment, in UTC. */
interface Calendar {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** `YYYY-MM` */
  readonly month: string;
  /** When the month ends: milliseconds since 1970. */
  readonly monthEnd: number;
  /** Length of the month in seconds. */
  readonly monthSpan: number;
}

const dayLength = 86_400_000;

let cached: Calendar | undefined;
let cachedFrom = Number.POSITIVE_INFINITY;

/**
 * The calendar of a moment. Cached for the day, because nearly every request needs today's.
 *
 * @param now milliseconds since 1970, UTC
 */
export function calendarOf(now: number): Calendar {
  if (cached && now >= cachedFrom && now < cachedFrom + dayLength) return cached;
  const date = new Date(now);
  const iso = date.toISOString();
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const monthEnd = Date.UTC(year, month + 1);
  cached = {
    day: iso.slice(0, 'YYYY-MM-DD'.length),
    month: iso.slice(0, 'YYYY-MM'.length),
    monthEnd,
    monthSpan: (monthEnd - Date.UTC(year, month)) / 1000,
  };
  cachedFrom = Date.UTC(year, month, date.getUTCDate());
  return cached;
}
