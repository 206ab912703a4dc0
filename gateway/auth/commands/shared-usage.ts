import { systemClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { calendarOf } from '../../limits/calendar.ts';
import { openLog } from '../../log/log.ts';
import type { AccountListing } from '../accounts.ts';

/** An account as a command shows it. */
export type ShownAccount = Omit<AccountListing, 'used'> & {
  /** Requests counted this month; null: they are counted in Redis, which is away. */
  readonly used: number | null;
};

/** Accounts with the month's requests from where gateways count them: in the database, or in Redis. */
export async function withUsage(
  { redisUrl, logLevel }: Config,
  accounts: readonly AccountListing[],
): Promise<readonly ShownAccount[]> {
  if (redisUrl === undefined) return accounts;
  const { openSharedUsage } = await import('../../limits/redis/open.ts');
  const { usage, close } = await openSharedUsage(redisUrl, openLog(logLevel));
  const { month } = calendarOf(systemClock.now());
  const shown: ShownAccount[] = [];
  for (const account of accounts) {
    shown.push({ ...account, used: await usage.read(account.id, month).catch(() => null) });
  }
  await close();
  return shown;
}
