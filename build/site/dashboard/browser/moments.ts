/** Moments as a person reads them. The pages are in English, whatever the browser's own language. */
const language = 'en-GB';

const day = 86_400;
/** Units from the longest, in seconds; what is nearer than a unit is told in the next. */
const units = [
  ['day', day],
  ['hour', 3600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always' });

/** `4 Nov 2026`, where the person is. */
export function dateOf(iso: string): string {
  return format(iso, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** `4 November 2026 at 14:05 CET`, where the person is. */
export function momentOf(iso: string): string {
  return format(iso, { dateStyle: 'long', timeStyle: 'long' });
}

/** The UTC day of a moment, or of a `YYYY-MM-DD`: `1 December 2026`. */
export function utcDayOf(iso: string): string {
  return format(iso, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** `November 2026`, of a `YYYY-MM`. */
export function monthOf(month: string): string {
  return format(`${month}-01`, { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** How far off a moment is: `in 5 hours`, `3 days ago`, `just now`. */
export function distanceOf(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 0 ? 'in less than a minute' : 'just now';
}

/** The date of a moment to come, or how far off it is when that is less than two days. */
export function comingOf(iso: string, now: number): string {
  return Date.parse(iso) - now < 2 * day * 1000 ? distanceOf(iso, now) : dateOf(iso);
}

/** The days of a month, of a `YYYY-MM`. */
export function daysIn(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

/**
 * The whole seconds until the end of a day, where the person is.
 *
 * @param date `YYYY-MM-DD`, as a date field has it
 */
export function secondsToEndOf(date: string, now: number): number {
  const [year = 0, month = 0, number = 0] = date.split('-').map(Number);
  return Math.floor((new Date(year, month - 1, number + 1).getTime() - now) / 1000);
}

/** A moment's day as a date field has it, where the person is. */
export function fieldDateOf(moment: number): string {
  const date = new Date(moment);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function format(iso: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language, options).format(new Date(iso));
}
