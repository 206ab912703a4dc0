/** Routes of the dashboard: settings, and the account of the session with its usage, keys and sessions. */
import type { Request, RequestHandler, Router } from 'express';
import { calendarOf, monthPattern } from '../../limits/decision.ts';
import type { MonthUsage, UsageReader } from '../../limits/store.ts';
import { deleteAccount, isName, RequestError } from '../accounts.ts';
import type { BetterAuth } from '../better-auth.ts';
import {
  createOwnKey,
  type KeyListing,
  listOwnKeys,
  namesOf,
  revokeKey,
  rotateKey,
} from '../keys.ts';
import { addRoute, jsonBody, reject, sendJson } from '../middleware.ts';
import { inTurn, passwordLength, wrongPassword } from '../passwords.ts';
import { hasPassword, type RouteParts, type SignedIn, userOf } from '../users.ts';

/** Bytes of a body: a name and a duration, or a password. */
const maxBody = 4 * 1024;
/** Characters. */
const maxNameLength = 100;
/** Seconds. */
const maxLifetime = 10 * 366 * 86_400;
const maxOverlap = 90 * 86_400;

/** Returns the body of a response to a user, or throws a `RequestError`. */
type Handler = (user: SignedIn, request: Request) => Promise<object>;

/** @param usage what the dashboard shows */
export function addAccountRoutes(router: Router, parts: RouteParts, usage: UsageReader): void {
  const { signedIn, users, database, attempts, config, system } = parts;
  const { plans, apiKeyPrefix: prefix, maxKeysPerAccount: maxKeys } = config;
  const json =
    (handle: Handler, status = 200): RequestHandler =>
    async (request, response) =>
      sendJson(response, status, await handle(userOf(response), request));

  /** What a sign-in page needs to know before anyone has signed in. */
  const settings = {
    providers: Object.keys(config.users.providers),
    mail: config.users.mail !== undefined,
    apiUrl: config.users.publicUrl ?? null,
    password: passwordLength,
  };
  addRoute(router, '/settings', {
    GET: [(_request, response) => sendJson(response, 200, settings)],
  });

  const showAccount: Handler = async ({ account, email, session }, request) => {
    const { day: today, month: thisMonth } = calendarOf(system.now());
    const month = queryOf(request).get('month') ?? thisMonth;
    if (!monthPattern.test(month))
      throw new RequestError('month must have the form YYYY-MM, such as 2026-11.', 400);
    const { days, keys, hasMore } = await usage.readMonth(account.id, month, pageIn(request));
    const named = await namesOf(
      database,
      keys.map(({ key }) => key),
    );
    return {
      name: account.name,
      email,
      createdAt: new Date(account.createdAt).toISOString(),
      password: await hasPassword(database, session.userId),
      plan: { name: account.plan, ...plans[account.plan] },
      quotaMail: account.quotaMail === 1,
      usage: {
        month,
        used: await usage.read(account.id, month),
        ...daysOf(month, today, days),
        /** Name and first characters are null for requests with keys that were removed. */
        keys: keys.map(({ key: id, ...counts }) => ({
          id,
          name: null,
          start: null,
          ...named.get(id),
          ...counts,
        })),
        hasMore,
      },
    };
  };

  const changeAccount: Handler = async ({ account }, { body }) => {
    const quotaMail = body?.quotaMail;
    if (typeof quotaMail !== 'boolean')
      throw new RequestError('quotaMail must be true or false.', 400);
    if (quotaMail && !settings.mail) throw new RequestError('This service does not send email.');
    const changes = { quotaMail: Number(quotaMail) };
    await database.updateTable('accounts').set(changes).where('id', '=', account.id).execute();
    return {};
  };

  const removeAccount: RequestHandler = async (request, response) => {
    const { account, session } = userOf(response);
    const { api } = await users();
    const headers = new Headers({ Cookie: request.headers.cookie ?? '' });
    if (await hasPassword(database, session.userId)) {
      const password: unknown = request.body?.password;
      if (typeof password !== 'string' || !(await isPassword(api, password, headers)))
        throw new RequestError(wrongPassword, 400);
    }
    const signedOut = await api.signOut({ headers, returnHeaders: true });
    response.setHeader('Set-Cookie', signedOut.headers.getSetCookie());
    await deleteAccount(database, system, account);
    return sendJson(response, 200, {});
  };

  const guesses = attempts.limit('guesses', 'guessesOfAll');
  const limited = [...attempts.limit('passwords'), ...guesses, inTurn, ...guesses];
  const change = [...attempts.limit('keys'), signedIn, jsonBody(maxBody)];
  addRoute(router, '/account', {
    GET: [signedIn, json(showAccount)],
    POST: [...change, json(changeAccount)],
    DELETE: [jsonBody(maxBody), signedIn, ...limited, removeAccount],
  });

  const showKeys: Handler = async ({ account }, request) => {
    const { keys, hasMore } = await listOwnKeys(database, system, account.id, pageIn(request));
    return { keys: keys.map(withoutAccount), hasMore };
  };

  const addKey: Handler = async ({ account }, { body }) => {
    const { name, expiresIn } = body ?? {};
    if (typeof name !== 'string' || name.length > maxNameLength || !isName(name)) {
      const form = `one line of 1 to ${maxNameLength} characters`;
      throw new RequestError(`name must be ${form}, at least one of them visible.`, 400);
    }
    if (expiresIn !== null && !isSeconds(expiresIn, 1, maxLifetime)) {
      const form = `seconds, at most ${maxLifetime}, or null for no expiry`;
      throw new RequestError(`expiresIn must be ${form}.`, 400);
    }
    const lifetime = expiresIn === null ? undefined : expiresIn * 1000;
    const request = { name: name.trim(), lifetime, prefix, maxKeys };
    return withoutAccount(await createOwnKey(database, system, account.id, request));
  };

  const replaceKey: Handler = async ({ account }, { body, params }) => {
    const overlap = body?.overlap;
    if (!isSeconds(overlap, 0, maxOverlap))
      throw new RequestError(`overlap must be seconds, from 0 to ${maxOverlap}.`, 400);
    const rotation = { id: String(params['key']), overlap: overlap * 1000, prefix, maxKeys };
    return withoutAccount(await rotateKey(database, system, account.id, rotation));
  };

  const endKey: Handler = async ({ account }, { params }) =>
    withoutAccount(await revokeKey(database, system, String(params['key']), account.id));

  for (const [name, form] of Object.entries({
    key: /^key_[0-9a-f-]{36}$/,
    session: /^[0-9A-Za-z]{32}$/,
  }))
    router.param(name, (_request, response, next, id: string) => {
      if (form.test(id)) next();
      else reject(response, 404, `There is no such ${name}.`);
    });
  addRoute(router, '/keys', {
    GET: [signedIn, json(showKeys)],
    POST: [...change, json(addKey, 201)],
  });
  addRoute(router, '/keys/:key/rotate', { POST: [...change, json(replaceKey, 201)] });
  addRoute(router, '/keys/:key', { DELETE: [signedIn, json(endKey)] });

  /** The sessions that have not expired, newest first, without their tokens. Times are ISO 8601, UTC. */
  const showSessions: Handler = async ({ session }) => {
    const rows = await database
      .selectFrom('sessions')
      .select(['id', 'createdAt', 'updatedAt', 'expiresAt', 'userAgent'])
      .where('userId', '=', session.userId)
      .where('expiresAt', '>', new Date(system.now()).toISOString())
      .orderBy('createdAt', 'desc')
      .execute();
    const sessions = rows.map((row) => ({
      id: row.id,
      /** `Firefox on Linux`; null: the session is from before browsers were stored. */
      browser: row.userAgent || null,
      createdAt: new Date(row.createdAt).toISOString(),
      /** To the hour. */
      lastUsedAt: new Date(row.updatedAt).toISOString(),
      expiresAt: new Date(row.expiresAt).toISOString(),
      current: row.id === session.id,
    }));
    return { sessions };
  };

  const endSession: Handler = async ({ session: { userId } }, { params }) => {
    const ended = await database
      .deleteFrom('sessions')
      .where((row) => row.and({ id: String(params['session']), userId }))
      .returning('id')
      .executeTakeFirst();
    if (!ended) throw new RequestError('There is no such session.', 404);
    return {};
  };

  addRoute(router, '/sessions', { GET: [signedIn, json(showSessions)] });
  addRoute(router, '/sessions/:session', { DELETE: [signedIn, json(endSession)] });
}

/** Whether a password is that of the session's user. */
async function isPassword(
  api: BetterAuth['api'],
  password: string,
  headers: Headers,
): Promise<boolean> {
  try {
    return (await api.verifyPassword({ body: { password }, headers })).status;
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 400) return false;
    throw error;
  }
}

/** When a month ends, and its usage on each day up to today. */
function daysOf(month: string, today: string, usage: MonthUsage['days']) {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const days = Array.from(
    { length },
    (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`,
  ).filter((day) => day <= today);
  const none = { used: 0, rejectedByRate: 0, rejectedByQuota: 0 };
  return {
    resetAt: new Date(Date.UTC(year, number)).toISOString(),
    days: days.map((day) => usage.find((counts) => counts.day === day) ?? { day, ...none }),
  };
}

/** The number of a page in the query, from 1. @throws RequestError if it is malformed */
function pageIn(request: Request): number {
  const page = queryOf(request).get('page') ?? '1';
  if (/^[1-9]\d{0,4}$/.test(page)) return Number(page);
  throw new RequestError('page must be a whole number from 1 to 99999.', 400);
}

function queryOf({ url }: Request): URLSearchParams {
  return new URLSearchParams(url.split('?')[1]);
}

function isSeconds(value: unknown, min: number, max: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}

/** A key for its owner: account and plan are the same for all keys. */
function withoutAccount<Key extends KeyListing>({ account: _account, plan: _plan, ...key }: Key) {
  return key;
}
