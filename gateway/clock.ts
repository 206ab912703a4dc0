/** The time, handed to whoever needs it so that tests can set it. */
export interface Clock {
  /** Wall clock: milliseconds since 1970 in UTC. It may be set back. */
  now(): number;
  /** Microseconds since some moment, whole, so that sums and differences are exact; never goes back. */
  elapsed(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => Math.floor(performance.now() * 1000),
};

/** The day and month of a moment, in UTC. */
export interface Calendar {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** `YYYY-MM` */
  readonly month: string;
  /** When the month ends: milliseconds since 1970. */
  readonly monthEnd: number;
  /** Seconds that the month has. */
  readonly monthSpan: number;
}

const dayLength = 86_400_000;

let known: Calendar | undefined;
let knownFrom = Number.POSITIVE_INFINITY;

/**
 * The calendar of a moment. That of its whole day is remembered: nearly every request asks for today's.
 *
 * @param now milliseconds since 1970, UTC
 */
export function calendarOf(now: number): Calendar {
  if (known && now >= knownFrom && now < knownFrom + dayLength) return known;
  const date = new Date(now);
  const iso = date.toISOString();
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const monthEnd = Date.UTC(year, month + 1);
  known = {
    day: iso.slice(0, 'YYYY-MM-DD'.length),
    month: iso.slice(0, 'YYYY-MM'.length),
    monthEnd,
    monthSpan: (monthEnd - Date.UTC(year, month)) / 1000,
  };
  knownFrom = Date.UTC(year, month, date.getUTCDate());
  return known;
}
