/** Routes of the dashboard: settings, and the account of the session with its usage, keys and sessions. */
import type { Request, RequestHandler, Router } from 'express';
import type { System } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { calendarOf, monthPattern } from '../../limits/decision.ts';
import type { MonthUsage, UsageReader } from '../../limits/store.ts';
import { deleteAccount, isName, MissingError } from '../accounts.ts';
import type { Attempts } from '../attempts.ts';
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
import type { Database, OwnSession } from '../store/tables.ts';
import { hasPassword, requireCookie, type Users, userOf } from '../users.ts';

/** Bytes of a body: a name and a duration, or a password. */
const maxBody = 4 * 1024;
/** Characters. */
const maxNameLength = 100;
/** Seconds. */
const maxLifetime = 10 * 366 * 86_400;
const maxOverlap = 90 * 86_400;

export interface AccountParts {
  /** Requires a session. */
  readonly signedIn: RequestHandler;
  readonly users: Users;
  readonly database: Database;
  readonly attempts: Attempts;
  readonly usage: UsageReader;
  readonly config: Config;
  readonly system: System;
}

export function addAccountRoutes(router: Router, parts: AccountParts): void {
  const { signedIn, users, database, attempts, usage, config, system } = parts;
  const { plans, apiKeyPrefix: prefix, maxKeysPerAccount: maxKeys } = config;

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

  const showAccount: RequestHandler = async (request, response) => {
    const { account, email, session } = userOf(response);
    const { day: today, month: thisMonth } = calendarOf(system.now());
    const query = queryOf(request);
    const month = query.get('month') ?? thisMonth;
    const page = pageIn(query);
    if (!monthPattern.test(month)) {
      return reject(response, 400, 'month must have the form YYYY-MM, such as 2026-11.');
    }
    if (page === undefined) return reject(response, 400, malformedPage);
    const { days, keys, hasMore } = await usage.readMonth(account.id, month, page);
    const named = await namesOf(
      database,
      keys.map(({ key }) => key),
    );
    return sendJson(response, 200, {
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
    });
  };

  const changeAccount: RequestHandler = async (request, response) => {
    const { quotaMail } = request.body ?? {};
    if (typeof quotaMail !== 'boolean')
      return reject(response, 400, 'quotaMail must be true or false.');
    if (quotaMail && !settings.mail)
      return reject(response, 409, 'This service does not send email.');
    const { id } = userOf(response).account;
    const changes = { quotaMail: Number(quotaMail) };
    await database.updateTable('accounts').set(changes).where('id', '=', id).execute();
    return sendJson(response, 200, {});
  };

  const removeAccount: RequestHandler = async (request, response) => {
    const { account, session } = userOf(response);
    const { api } = await users();
    const headers = new Headers({ Cookie: request.headers.cookie ?? '' });
    if (await hasPassword(database, session.userId)) {
      const { password } = request.body ?? {};
      if (typeof password !== 'string') return reject(response, 400, wrongPassword);
      if (!(await isPassword(api, password, headers))) return reject(response, 400, wrongPassword);
    }
    const signedOut = await api.signOut({ headers, returnHeaders: true });
    response.setHeader('Set-Cookie', signedOut.headers.getSetCookie());
    await deleteAccount(database, system, account);
    return sendJson(response, 200, {});
  };

  const guesses = attempts.limit('guesses', 'guessesOfAll');
  const limited = [...attempts.limit('passwords'), ...guesses, inTurn, ...guesses];
  const change = [requireCookie, jsonBody(maxBody), ...attempts.limit('keys'), signedIn];
  addRoute(router, '/account', {
    GET: [signedIn, showAccount],
    POST: [...change, changeAccount],
    DELETE: [jsonBody(maxBody), signedIn, ...limited, removeAccount],
  });

  const showKeys: RequestHandler = async (request, response) => {
    const page = pageIn(queryOf(request));
    if (page === undefined) return reject(response, 400, malformedPage);
    const { keys, hasMore } = await listOwnKeys(
      database,
      system,
      userOf(response).account.id,
      page,
    );
    return sendJson(response, 200, { keys: keys.map(withoutAccount), hasMore });
  };

  const addKey: RequestHandler = async (request, response) => {
    const { name, expiresIn } = request.body ?? {};
    if (typeof name !== 'string' || name.length > maxNameLength || !isName(name)) {
      const form = `one line of 1 to ${maxNameLength} characters`;
      return reject(response, 400, `name must be ${form}, at least one of them visible.`);
    }
    if (expiresIn !== null && !isSeconds(expiresIn, 1, maxLifetime)) {
      return reject(
        response,
        400,
        `expiresIn must be seconds, at most ${maxLifetime}, or null for no expiry.`,
      );
    }
    const { account } = userOf(response);
    const lifetime = expiresIn === null ? undefined : expiresIn * 1000;
    const key = await createOwnKey(database, system, account.id, {
      name: name.trim(),
      lifetime,
      prefix,
      maxKeys,
    });
    return sendJson(response, 201, withoutAccount(key));
  };

  const replaceKey: RequestHandler = async (request, response) => {
    const { overlap } = request.body ?? {};
    if (!isSeconds(overlap, 0, maxOverlap)) {
      return reject(response, 400, `overlap must be seconds, from 0 to ${maxOverlap}.`);
    }
    const { account } = userOf(response);
    const rotation = {
      id: String(request.params['key']),
      overlap: overlap * 1000,
      prefix,
      maxKeys,
    };
    return sendJson(
      response,
      201,
      withoutAccount(await rotateKey(database, system, account.id, rotation)),
    );
  };

  const endKey: RequestHandler = async (request, response) => {
    const { account } = userOf(response);
    const key = await revokeKey(database, system, String(request.params['key']), account.id);
    sendJson(response, 200, withoutAccount(key));
  };

  router.param('key', (_request, response, next, id: string) => {
    if (/^key_[0-9a-f-]{36}$/.test(id)) next();
    else reject(response, 404, 'There is no such key.');
  });
  addRoute(router, '/keys', { GET: [signedIn, showKeys], POST: [...change, addKey] });
  addRoute(router, '/keys/:key/rotate', { POST: [...change, replaceKey] });
  addRoute(router, '/keys/:key', { DELETE: [signedIn, endKey] });

  const showSessions: RequestHandler = async (_request, response) => {
    const { session } = userOf(response);
    sendJson(response, 200, { sessions: await listSessions(database, system, session) });
  };

  const removeSession: RequestHandler = async (request, response) => {
    await endSession(database, userOf(response).session.userId, String(request.params['session']));
    sendJson(response, 200, {});
  };

  router.param('session', (_request, response, next, id: string) => {
    if (/^[0-9A-Za-z]{32}$/.test(id)) next();
    else reject(response, 404, 'There is no such session.');
  });
  addRoute(router, '/sessions', { GET: [signedIn, showSessions] });
  addRoute(router, '/sessions/:session', { DELETE: [signedIn, removeSession] });
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
  const dates = Array.from(
    { length: new Date(Date.UTC(year, number, 0)).getUTCDate() },
    (_, index) => index + 1,
  );
  const days = dates
    .map((date) => `${month}-${String(date).padStart(2, '0')}`)
    .filter((day) => day <= today);
  const byDay = new Map(usage.map((counts) => [counts.day, counts]));
  return {
    resetAt: new Date(Date.UTC(year, number)).toISOString(),
    days: days.map(
      (day) => byDay.get(day) ?? { day, used: 0, rejectedByRate: 0, rejectedByQuota: 0 },
    ),
  };
}

/** The number of a page in a query, from 1. @returns undefined if it is malformed */
function pageIn(query: URLSearchParams): number | undefined {
  const page = query.get('page') ?? '1';
  return /^[1-9]\d{0,4}$/.test(page) ? Number(page) : undefined;
}

const malformedPage = 'page must be a whole number from 1 to 99999.';

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

/** Lists the sessions of a user that have not expired, newest first, without their tokens. Times are ISO 8601, UTC. */
async function listSessions(database: Database, clock: System, own: OwnSession) {
  const rows = await database
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'updatedAt', 'expiresAt', 'userAgent'])
    .where('userId', '=', own.userId)
    .where('expiresAt', '>', new Date(clock.now()).toISOString())
    .orderBy('createdAt', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    /** `Firefox on Linux`; null: the session is from before browsers were stored. */
    browser: row.userAgent || null,
    createdAt: new Date(row.createdAt).toISOString(),
    /** To the hour. */
    lastUsedAt: new Date(row.updatedAt).toISOString(),
    expiresAt: new Date(row.expiresAt).toISOString(),
    current: row.id === own.id,
  }));
}

/** Ends a session of a user. @throws MissingError when the user has no such session */
async function endSession(database: Database, userId: string, id: string): Promise<void> {
  const ended = await database
    .deleteFrom('sessions')
    .where((row) => row.and({ id, userId }))
    .returning('id')
    .executeTakeFirst();
  if (!ended) throw new MissingError('There is no such session.');
}
