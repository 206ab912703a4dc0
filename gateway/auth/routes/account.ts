/** Routes of the dashboard: settings, and the account of the session with its usage and keys. */
import { type Request, type RequestHandler, Router } from 'express';
import type { Plans } from '../../../build/release/plans.ts';
import { calendarOf } from '../../clock.ts';
import type { UsersConfig } from '../../config.ts';
import type { KeyUsage, UsageCounts, UsageReader } from '../../limits/store.ts';
import type { System } from '../../system.ts';
import { deleteAccount } from '../accounts.ts';
import type { Attempts } from '../attempts.ts';
import { createOwnKey, type KeyListing, listOwnKeys, revokeKey, rotateKey } from '../keys.ts';
import { jsonBody, limitByAddress, limitByEmail } from '../middleware.ts';
import { allowMethods, reject, sendJson, sendNotFound } from '../responses.ts';
import type { Database } from '../store/tables.ts';
import type { BetterAuth } from '../users/better-auth.ts';
import { guessesByEmail, passwordLength, signInsByAddress, wrongPassword } from '../users/credentials.ts';
import { endSession, listSessions } from '../users/sessions.ts';
import { hasPassword, type SessionResponse, type Users } from '../users/users.ts';

/** What a sign-in page needs to know before anyone has signed in. */
export function settingsRoute({ providers, mail, publicUrl }: UsersConfig): Router {
  const settings = {
    providers: Object.keys(providers),
    mail: mail !== undefined,
    apiUrl: publicUrl ?? null,
    password: passwordLength,
  };
  const router = Router();
  router.get('/', (_request, response) => sendJson(response, 200, settings));
  router.all('/', allowMethods('GET'));
  return router;
}

/** What the routes of a user need. */
interface AccountParts {
  readonly signedIn: RequestHandler;
  readonly users: Users;
  readonly database: Database;
  readonly attempts: Attempts;
  readonly usage: UsageReader;
  readonly plans: Plans;
  /** Of every key. */
  readonly apiKeyPrefix: string;
  readonly system: System;
}

/** Shows the account with its plan and the usage of a month, and deletes the account. */
export function accountRoute(parts: AccountParts): Router {
  const { signedIn, users, database, attempts, usage, plans, system } = parts;
  const router = Router();
  router.get('/', signedIn, async (request, response: SessionResponse) => {
    const { account, email, session } = response.locals.signedIn;
    const { day: today, month: thisMonth } = calendarOf(system.now());
    const month = new URLSearchParams(request.url.split('?')[1]).get('month') ?? thisMonth;
    if (!/^[12]\d{3}-(0[1-9]|1[0-2])$/.test(month))
      return reject(response, 400, 'month must have the form YYYY-MM, such as 2026-11.');
    return sendJson(response, 200, {
      name: account.name,
      email,
      createdAt: new Date(account.createdAt).toISOString(),
      password: await hasPassword(database, session.userId),
      plan: { name: account.plan, ...plans[account.plan] },
      usage: {
        month,
        used: await usage.read(account.id, month),
        ...usageInMonth(month, today, await usage.readKeys(account.id, month)),
      },
    });
  });

  const limits = [limitByAddress(attempts, signInsByAddress), limitByEmail(attempts, guessesByEmail)];
  async function remove(request: Request, response: SessionResponse): Promise<void> {
    const { account, session } = response.locals.signedIn;
    const { api } = await users(request);
    const headers = new Headers({ Cookie: request.headers.cookie ?? '' });
    if (await hasPassword(database, session.userId)) {
      const { password } = request.body ?? {};
      const isRight = typeof password === 'string' && (await isPassword(api, password, headers));
      if (!isRight) return reject(response, 400, wrongPassword);
    }
    const signedOut = await api.signOut({ headers, returnHeaders: true });
    response.setHeader('Set-Cookie', signedOut.headers.getSetCookie());
    await deleteAccount(database, account);
    return sendJson(response, 200, {});
  }
  router.delete('/', jsonBody(maxBody), signedIn, limits, remove);
  router.all('/', allowMethods('GET', 'DELETE'));
  return router;
}

/** Whether a password is that of the session's user. */
async function isPassword(api: BetterAuth['api'], password: string, headers: Headers): Promise<boolean> {
  try {
    return (await api.verifyPassword({ body: { password }, headers })).status;
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 400) return false;
    throw error;
  }
}

/** When the month ends, and its usage by day, up to today, and by key. */
function usageInMonth(month: string, today: string, usage: readonly KeyUsage[]) {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const days = Array.from(
    { length: new Date(Date.UTC(year, number, 0)).getUTCDate() },
    (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`,
  ).filter((day) => day <= today);
  const keys = [...new Set(usage.map(({ key }) => key))];
  return {
    resetAt: new Date(Date.UTC(year, number)).toISOString(),
    days: days.map((day) => ({ day, ...sumOf(usage.filter((each) => each.day === day)) })),
    keys: keys.map((id) => ({ id, ...sumOf(usage.filter(({ key }) => key === id)) })),
  };
}

function sumOf(usage: readonly UsageCounts[]): UsageCounts {
  const sum = { used: 0, rejectedByRate: 0, rejectedByQuota: 0 };
  for (const counts of usage) {
    sum.used += counts.used;
    sum.rejectedByRate += counts.rejectedByRate;
    sum.rejectedByQuota += counts.rejectedByQuota;
  }
  return sum;
}

/** Bytes of a body: a name and a duration. */
const maxBody = 4 * 1024;
/** Characters. */
const maxNameLength = 100;
/** Seconds. */
const maxLifetime = 10 * 366 * 86_400;
const maxOverlap = 90 * 86_400;

/** More keys than anyone creates by hand. */
const keysByAddress = { name: 'keys', windowMs: 60_000, limit: 30, failedOnly: false };

/** Lists, creates, rotates and revokes the keys of the account. */
export function keyRoutes({ signedIn, database, attempts, apiKeyPrefix: prefix, system }: AccountParts): Router {
  const router = Router();
  const change = [limitByAddress(attempts, keysByAddress), jsonBody(maxBody), signedIn];

  router.get('/', signedIn, async (_request, response: SessionResponse) => {
    const keys = await listOwnKeys(database, system, response.locals.signedIn.account.id);
    sendJson(response, 200, { keys: keys.map(withoutAccount) });
  });

  router.post('/', change, async (request: Request, response: SessionResponse) => {
    const { name, expiresIn } = request.body ?? {};
    if (!isName(name)) return reject(response, 400, `name must be one line of 1 to ${maxNameLength} characters.`);
    if (expiresIn !== null && !isSeconds(expiresIn, 1, maxLifetime)) {
      return reject(response, 400, `expiresIn must be seconds, at most ${maxLifetime}, or null for no expiry.`);
    }
    const { account } = response.locals.signedIn;
    const lifetime = expiresIn === null ? undefined : expiresIn * 1000;
    const key = await createOwnKey(database, system, account.id, { name: name.trim(), lifetime, prefix });
    return sendJson(response, 201, withoutAccount(key));
  });

  router.all('/', allowMethods('GET', 'POST'));

  router.param('id', (_request, response, next, id: string) => {
    if (/^key_[0-9a-f-]{36}$/.test(id)) next();
    else reject(response, 404, 'There is no such key.');
  });

  router.post('/:id/rotate', change, async (request: Request, response: SessionResponse) => {
    const { overlap } = request.body ?? {};
    if (!isSeconds(overlap, 0, maxOverlap)) {
      return reject(response, 400, `overlap must be seconds, from 0 to ${maxOverlap}.`);
    }
    const { account } = response.locals.signedIn;
    const rotation = { id: String(request.params['id']), overlap: overlap * 1000, prefix };
    return sendJson(response, 201, withoutAccount(await rotateKey(database, system, account.id, rotation)));
  });
  router.all('/:id/rotate', allowMethods('POST'));

  router.delete('/:id', signedIn, async (request, response: SessionResponse) => {
    const { account } = response.locals.signedIn;
    const key = await revokeKey(database, system, String(request.params['id']), account.id);
    sendJson(response, 200, withoutAccount(key));
  });
  router.all('/:id', allowMethods('DELETE'));

  router.use(sendNotFound);
  return router;
}

/** Lists and ends the sessions of the user. */
export function sessionRoutes({ signedIn, database, system }: AccountParts): Router {
  const router = Router();

  router.get('/', signedIn, async (_request, response: SessionResponse) => {
    const { session } = response.locals.signedIn;
    sendJson(response, 200, { sessions: await listSessions(database, system, session) });
  });
  router.all('/', allowMethods('GET'));

  router.param('id', (_request, response, next, id: string) => {
    if (/^[0-9A-Za-z]{32}$/.test(id)) next();
    else reject(response, 404, 'There is no such session.');
  });

  router.delete('/:id', signedIn, async (request, response: SessionResponse) => {
    const { session } = response.locals.signedIn;
    await endSession(database, session.userId, String(request.params['id']));
    sendJson(response, 200, {});
  });
  router.all('/:id', allowMethods('DELETE'));

  router.use(sendNotFound);
  return router;
}

function isName(name: unknown): name is string {
  if (typeof name !== 'string' || name.trim() === '') return false;
  return name.length <= maxNameLength && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
}

function isSeconds(value: unknown, min: number, max: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}

/** A key for its owner: account and plan are the same for all keys. */
function withoutAccount<Key extends KeyListing>({ account: _account, plan: _plan, ...key }: Key) {
  return key;
}
