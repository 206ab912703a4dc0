/** Routes of the dashboard: settings, and the account of the session with its usage and keys. */
import { type Request, type RequestHandler, Router } from 'express';
import type { Plans } from '../../../build/release/plans.ts';
import { type Clock, calendarOf } from '../../clock.ts';
import type { UsersConfig } from '../../config.ts';
import type { UsageReader } from '../../limits/store.ts';
import type { Attempts } from '../attempts.ts';
import { createOwnKey, type KeyListing, listOwnKeys, revokeOwnKey, rotateKey } from '../keys.ts';
import { jsonBody, limitByAddress } from '../middleware.ts';
import { allowMethods, reject, sendJson, sendNotFound } from '../responses.ts';
import type { Database } from '../store/tables.ts';
import { passwordLength } from '../users/credentials.ts';
import { endSession, listSessions } from '../users/sessions.ts';
import type { SessionResponse } from '../users/users.ts';

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

/** Plan and usage of the account. */
export function accountRoute(
  signedIn: RequestHandler,
  usage: UsageReader,
  plans: Plans,
  clock: Clock,
): Router {
  const router = Router();
  router.get('/', signedIn, async (_request, response: SessionResponse) => {
    const { account, email } = response.locals.signedIn;
    const { day: today, month, monthEnd } = calendarOf(clock.now());
    const used = new Map((await usage.readDays(account.id, month)).map((entry) => [entry.day, entry.used]));
    const days = Array.from(
      { length: Number(today.slice(-2)) },
      (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`,
    );
    sendJson(response, 200, {
      name: account.name,
      email,
      plan: { name: account.plan, ...plans[account.plan] },
      usage: {
        month,
        used: await usage.read(account.id, month),
        resetAt: new Date(monthEnd).toISOString(),
        days: days.map((day) => ({ day, used: used.get(day) ?? 0 })),
      },
    });
  });
  router.all('/', allowMethods('GET'));
  return router;
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
export function keyRoutes(
  signedIn: RequestHandler,
  database: Database,
  attempts: Attempts,
  prefix: string,
  clock: Clock,
): Router {
  const router = Router();
  const change = [limitByAddress(attempts, keysByAddress), jsonBody(maxBody), signedIn];

  router.get('/', signedIn, async (_request, response: SessionResponse) => {
    const keys = await listOwnKeys(database, clock, response.locals.signedIn.account.id);
    sendJson(response, 200, { keys: keys.map(withoutAccount) });
  });

  router.post('/', change, async (request: Request, response: SessionResponse) => {
    const { name, expiresIn } = request.body ?? {};
    if (!isName(name))
      return reject(response, 400, `name must be one line of 1 to ${maxNameLength} characters.`);
    if (expiresIn !== null && !isSeconds(expiresIn, 1, maxLifetime)) {
      return reject(
        response,
        400,
        `expiresIn must be seconds, at most ${maxLifetime}, or null for no expiry.`,
      );
    }
    const { account } = response.locals.signedIn;
    const lifetime = expiresIn === null ? undefined : expiresIn * 1000;
    const key = await createOwnKey(database, clock, account.id, { name: name.trim(), lifetime, prefix });
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
    return sendJson(response, 201, withoutAccount(await rotateKey(database, clock, account.id, rotation)));
  });
  router.all('/:id/rotate', allowMethods('POST'));

  router.delete('/:id', signedIn, async (request, response: SessionResponse) => {
    const { account } = response.locals.signedIn;
    const key = await revokeOwnKey(database, clock, account.id, String(request.params['id']));
    sendJson(response, 200, withoutAccount(key));
  });
  router.all('/:id', allowMethods('DELETE'));

  router.use(sendNotFound);
  return router;
}

/** Lists and ends the sessions of the user. */
export function sessionRoutes(signedIn: RequestHandler, database: Database, clock: Clock): Router {
  const router = Router();

  router.get('/', signedIn, async (_request, response: SessionResponse) => {
    const { session } = response.locals.signedIn;
    sendJson(response, 200, { sessions: await listSessions(database, clock, session) });
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
