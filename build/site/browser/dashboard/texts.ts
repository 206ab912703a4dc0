/** Dates, times and error messages of the pages, in English. Local means the user's time zone. */

const language = 'en-GB';

/** Units of relative times, with how many of them are one of the next. */
const units = [
  ['minute', 60],
  ['hour', 24],
  ['day', Number.POSITIVE_INFINITY],
] as const;

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always' });

/** Local date: `4 Nov 2026`. */
export const dateOf = formatter({ day: 'numeric', month: 'short', year: 'numeric' });
/** Local date and time: `4 Nov, 14:05`. */
export const timeOf = formatter({
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
/** Local date and time: `4 November 2026 at 14:05:00 CET`. */
export const dateTimeOf = formatter({ dateStyle: 'long', timeStyle: 'long' });
/** UTC date of a time or of a `YYYY-MM-DD`: `1 December 2026`. */
export const utcDateOf = formatter({
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
/** `November 2026` for `2026-11`. */
export const monthOf = formatter({ month: 'long', year: 'numeric', timeZone: 'UTC' });

function formatter(options: Intl.DateTimeFormatOptions) {
  return (iso: string) => new Intl.DateTimeFormat(language, options).format(new Date(iso));
}

/** Relative time, rounded: `in 5 hours`, `3 days ago`, `just now`. */
export function relativeTimeOf(iso: string, now = Date.now()): string {
  const minutes = (Date.parse(iso) - now) / 60_000;
  let distance = Math.abs(minutes);
  if (distance < 1) return minutes > 0 ? 'in less than a minute' : 'just now';
  for (const [unit, length] of units) {
    const count = Math.round(distance);
    if (count < length) return relative.format(Math.sign(minutes) * count, unit);
    distance /= length;
  }
  return dateOf(iso);
}

/** Milliseconds. */
const soon = 2 * 86_400_000;

/** Local date of a future time; with the time, and how far away it is, if that is at most two days. */
export function upcomingDateOf(iso: string, now = Date.now()): string {
  if (Date.parse(iso) - now > soon) return dateOf(iso);
  return `${timeOf(iso)} (${relativeTimeOf(iso, now)})`;
}

/** Number of days in a `YYYY-MM`. */
export function daysIn(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

const returnErrors: Readonly<Record<string, string>> = {
  access_denied: 'You did not allow access there, so you are not signed in.',
  account_not_linked:
    'This address already has an account with another way to sign in. Use your password or another button.',
  invalid_token:
    'The link does not work: it was already used or is incomplete. Sign in, or sign up again.',
  signup_disabled: 'There is no account for this address.',
  token_expired: 'The link has expired. Sign in, or sign up again to get a new one.',
};

/**
 * Returns the message for an error code that an email link or a sign-in provider adds to the URL. Never the code
 * itself: anyone can write one into a URL.
 */
export function returnErrorMessage(code: string): string {
  const name = code.trim().toLowerCase().replace(/\W+/g, '_');
  const message = Object.hasOwn(returnErrors, name) ? returnErrors[name] : undefined;
  return message ?? 'Signing in failed. Try again, or sign in another way.';
}
