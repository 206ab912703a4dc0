import { type RequestHandler, Router } from 'express';
import type { Plans } from '../../../../build/release/plans.ts';
import type { Clock } from '../../../clock.ts';
import type { PeopleConfig } from '../../../config.ts';
import { calendarOf } from '../../../limits/calendar.ts';
import type { UsageReader } from '../../../limits/ledger.ts';
import { allow, answer } from '../answer.ts';
import { passwordLength } from '../people/password.ts';
import type { SessionResponse } from '../people/session.ts';

/** What a sign-in page has to know: how one can sign in here. */
export function settingsRoute({ providers, mail, publicUrl }: PeopleConfig): Router {
  const settings = {
    providers: Object.keys(providers),
    mail: mail !== undefined,
    apiUrl: publicUrl ?? null,
    password: passwordLength,
  };
  const router = Router();
  router.get('/', (_request, response) => answer(response, 200, settings));
  router.all('/', allow('GET'));
  return router;
}

/** Plan and usage of the account that is signed in. */
export function accountRoute(
  signedIn: RequestHandler,
  usage: UsageReader,
  plans: Plans,
  clock: Clock,
): Router {
  const router = Router();
  router.get('/', signedIn, async (_request, response: SessionResponse) => {
    const { account, email } = response.locals.signedIn;
    const now = clock.now();
    const { month } = calendarOf(now);
    const days = new Map((await usage.readDays(account.id, month)).map(({ day, used }) => [day, used]));
    answer(response, 200, {
      name: account.name,
      email,
      plan: { name: account.plan, ...plans[account.plan] },
      usage: {
        month,
        used: await usage.read(account.id, month),
        resetAt: new Date(nextMonth(now)).toISOString(),
        days: daysUntil(now).map((day) => ({ day, used: days.get(day) ?? 0 })),
      },
    });
  });
  router.all('/', allow('GET'));
  return router;
}

function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The days of the month up to a moment's. */
function daysUntil(now: number): string[] {
  const { day: today, month } = calendarOf(now);
  return Array.from(
    { length: Number(today.slice(-2)) },
    (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`,
  );
}
