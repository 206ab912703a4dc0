import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { apiErrors } from '../../../build/release/errors.ts';
import type { PeopleConfig } from '../../config.ts';
import type { Log } from '../../operations/log.ts';
import { allow, answer, answerError } from './answer.ts';
import { limitAttempts, limitAttemptsFor } from './attempts.ts';
import type { People } from './people.ts';

/** The people of a request: those whose cookies are for the scheme that it came by. */
export type PeopleOf = (request: Request) => Promise<People>;

/** Bytes of a body: an address, a password, and where to go on. */
const longestBody = 8 * 1024;
/** Characters of an address (RFC 5321, 4.5.3.1.3, less its brackets); PostgreSQL indexes no text of any length. */
const longestAddress = 254;

/** What better-auth says of it, too. */
const invalidEmail = 'Invalid email';

const minute = 60_000;
const guesses = { windowMs: minute, limit: 10, failedOnly: true };
const guessesOfOne = { windowMs: 15 * minute, limit: 20, failedOnly: true };
const orders = { windowMs: 10 * minute, limit: 10, failedOnly: false };

/**
 * Sign-up, sign-in and what belongs to them: of all that better-auth answers, what the dashboard asks for.
 */
export function peopleRoutes(peopleOf: PeopleOf, { mail, providers }: PeopleConfig, log: Log): Router {
  // What passes here stands for the same there: better-auth's other endpoints are out of reach.
  const router = Router({ caseSensitive: true, strict: true });
  const json: RequestHandler[] = [jsonBody(longestBody), refuseLongAddress];
  const forward = forwardTo(peopleOf, log);

  router.post('/sign-in/email', json, limitAttempts(guesses), limitAttemptsFor(guessesOfOne), forward);
  router.post('/sign-up/email', json, limitAttempts(orders), forward);
  router.post('/sign-in/social', json, limitAttempts(orders), forward);
  router.post('/request-password-reset', json, limitAttempts(orders), mail ? forward : refuseReset);
  router.post('/reset-password', json, limitAttempts(guesses), forward);
  router.post('/sign-out', json, forward);
  for (const path of ['/sign-in/email', '/sign-up/email', '/sign-in/social', '/request-password-reset']) {
    router.all(path, allow('POST'));
  }
  for (const path of ['/reset-password', '/sign-out']) router.all(path, allow('POST'));

  // Links of mails, and the way back from a provider: a browser follows them.
  const callbacks = Object.keys(providers).map((provider) => `/callback/${provider}`);
  for (const path of ['/verify-email', ...callbacks]) {
    router.head(path, allow('GET'));
    router.get(path, limitAttempts(guesses), forward);
    router.all(path, allow('GET'));
  }
  return router;
}

const refuseLongAddress: RequestHandler = ({ body }, response, next) => {
  if (typeof body?.email !== 'string' || body.email.length <= longestAddress) next();
  else answerError(response, 400, invalidEmail);
};

const refuseReset: RequestHandler = (_request, response) => {
  answerError(response, 409, 'This service sends no mail: its operator can make you a link.');
};

/**
 * Reads a JSON body into `request.body`. A browser sends that type across origins only if it is let.
 *
 * @param limit bytes
 */
export function jsonBody(limit: number): RequestHandler {
  const parse = express.json({ limit, reviver: refuseNull });
  return (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    const hasBody = coding !== undefined || (length !== undefined && length !== '0');
    if (hasBody && !request.is('application/json')) {
      answerError(response, 415, 'The body has to be JSON: send Content-Type: application/json.');
    } else {
      parse(request, response, next);
    }
  };
}

/** PostgreSQL stores no such character, and no name or address has one. */
function refuseNull(_name: string, value: unknown): unknown {
  if (typeof value === 'string' && value.includes('\0')) throw new SyntaxError('a null character');
  return value;
}

function forwardTo(peopleOf: PeopleOf, log: Log): RequestHandler {
  return async (request, response) => {
    const people = await peopleOf(request);
    const ask = () => people.handler(toWebRequest(request, String(people.options.baseURL)));
    const result = await ask();
    // Of two sign-ups at once with one address, the later now finds that there is an account.
    await relay(request, response, result.status === 422 ? await ask() : result, log);
  };
}

function toWebRequest(request: Request, origin: string): globalThis.Request {
  const headers = new Headers({ 'Content-Type': 'application/json' });
  // better-auth needs no more of them: what says where a request came from has been looked at.
  if (request.headers.cookie !== undefined) headers.set('Cookie', request.headers.cookie);
  const body = request.method === 'GET' ? null : JSON.stringify(request.body ?? {});
  return new globalThis.Request(new URL(request.originalUrl, origin), {
    method: request.method,
    headers,
    body,
  });
}

/** Hands on status, cookies and where to go; of the body no more, for it holds the session's token. */
async function relay(
  request: Request,
  response: Response,
  result: globalThis.Response,
  log: Log,
): Promise<void> {
  const { status, headers } = result;
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
  const location = headers.get('Location');
  if (status >= 300 && status < 400 && location !== null) {
    response.writeHead(302, { Location: location, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
    return;
  }
  const body = await readBody(result);
  if (status < 400) {
    answer(response, 200, typeof body['url'] === 'string' ? { url: body['url'] } : {});
    return;
  }
  if (status >= 500) log(`Accounts answered ${status}.`);
  const error = status < 500 ? faultOf(body) : undefined;
  if (request.method === 'GET') {
    const target = `/dashboard/sign-in/?${new URLSearchParams({ error: error ?? 'The link does not work.' })}`;
    response.writeHead(302, { Location: target, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
    return;
  }
  const fallback = status < 500 ? 'The request cannot be read.' : apiErrors.internal.message;
  answerError(response, status, error ?? fallback);
}

/** What is wrong with a request, in words for people; undefined: its form, which is no person's doing. */
function faultOf({ code, message }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof message !== 'string') return undefined;
  if (code !== 'VALIDATION_ERROR') return message;
  return message.startsWith('[body.email]') ? invalidEmail : undefined;
}

async function readBody(result: globalThis.Response): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await result.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
