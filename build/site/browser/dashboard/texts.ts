/** Dates, times and error messages as the pages show them. Local means the user's time zone; the language is English. */
const language = 'en-GB';

const day = 86_400;
/** Units of relative times with their length in seconds, longest first. */
const units = [
  ['day', day],
  ['hour', 3600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always' });

/** Local date: `4 Nov 2026`. */
export function dateOf(iso: string): string {
  return format(iso, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** Local date and time: `4 November 2026 at 14:05:00 CET`. */
export function dateTimeOf(iso: string): string {
  return format(iso, { dateStyle: 'long', timeStyle: 'long' });
}

/** UTC date of a time or of a `YYYY-MM-DD`: `1 December 2026`. */
export function utcDateOf(iso: string): string {
  return format(iso, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** `November 2026` for `2026-11`. */
export function monthOf(month: string): string {
  return format(`${month}-01`, { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** Relative time: `in 5 hours`, `3 days ago`, `just now`. */
export function relativeTimeOf(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return seconds > 0 ? 'in less than a minute' : 'just now';
}

/** Local date of a future time, or its relative time if that is less than two days away. */
export function upcomingDateOf(iso: string, now: number): string {
  return Date.parse(iso) - now < 2 * day * 1000 ? relativeTimeOf(iso, now) : dateOf(iso);
}

/** Number of days in a `YYYY-MM`. */
export function daysIn(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

/** Whole seconds until the local end of a `YYYY-MM-DD`. */
export function secondsToEndOf(date: string, now: number): number {
  const [year = 0, month = 0, number = 0] = date.split('-').map(Number);
  return Math.floor((new Date(year, month - 1, number + 1).getTime() - now) / 1000);
}

/** Local date in the format of a date input: `2026-11-04`. */
export function dateInputOf(milliseconds: number): string {
  // Swedish dates are written as in ISO 8601.
  return new Date(milliseconds).toLocaleDateString('sv-SE');
}

function format(iso: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language, options).format(new Date(iso));
}

/** Messages for the error codes that an email link or a sign-in provider adds to the URL. */
const returnErrors: Readonly<Record<string, string>> = {
  access_denied: 'You did not allow access there, so you are not signed in.',
  account_not_linked:
    'This address already has an account with another way to sign in. Use your password or another button.',
  email_not_found: 'The other service did not share your email address, so it cannot sign you in here.',
  email_not_verified: 'The other service has not verified your email address, so it cannot sign you in here.',
  invalid_token: 'The link does not work: it was already used or is incomplete. Sign in, or sign up again.',
  signup_disabled: 'There is no account for this address.',
  token_expired: 'The link has expired. Sign in, or sign up again to get a new one.',
  unable_to_create_user:
    'The account could not be created. Too many may be new in your network: try again tomorrow.',
  user_not_found: 'The account of this link no longer exists.',
};

/** Returns the message for an error code in the URL. Never the code itself: anyone can write one into a URL. */
export function returnErrorMessage(code: string): string {
  const name = code.trim().toLowerCase().replace(/\W+/g, '_');
  const message = Object.hasOwn(returnErrors, name) ? returnErrors[name] : undefined;
  return message ?? 'Signing in failed. Try again, or sign in another way.';
}
