/** Names of what Redis holds. An account stands in braces: a cluster keeps all that is its in one place. */
function ofAccount(account: string): string {
  return `pastpaper:{${account}}`;
}

/** A list: when the account's last accepted requests came. */
export function recentName(account: string): string {
  return `${ofAccount(account)}:recent`;
}

/**
 * A hash: what the account has used in a month, as `used`, and by days, as `YYYY-MM-DD`.
 *
 * @param month `YYYY-MM`
 */
export function monthName(account: string, month: string): string {
  return `${ofAccount(account)}:${month}`;
}

/** A string that is there once an account's counts on a day are merged from a batch. */
export function markName(account: string, day: string, batch: string): string {
  return `${ofAccount(account)}:${day}:${batch}`;
}

/** A string that is written to see whether Redis takes writes. */
export const probeName = 'pastpaper:probe';

/** Seconds for which a month is kept, for people to look back at: more than a year. */
export const monthAge = 400 * 86_400;

/** Seconds for which a mark is kept: longer than any outage in which a batch is tried again and again. */
export const markAge = 7 * 86_400;
