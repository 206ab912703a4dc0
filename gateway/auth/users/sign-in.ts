/** Sign-up, sign-in and passwords: the routes of better-auth that the dashboard uses. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { UsersConfig } from '../../config.ts';
import type { Log } from '../../log/logger.ts';
import { jsonBody, limitByAddress, limitByEmail } from '../middleware.ts';
import { allowMethods, reject, sendJson, UnavailableError } from '../responses.ts';
import type { BetterAuth } from './better-auth.ts';
import { invalidEmail, rejectLongEmail } from './credentials.ts';
import type { Users } from './users.ts';

/** Bytes of a body: an address, a password, and where to continue. */
const maxBody = 8 * 1024;

const minute = 60_000;
const guessesByAddress = { windowMs: minute, limit: 10, failedOnly: true };
const guessesByEmail = { windowMs: 15 * minute, limit: 20, failedOnly: true };
const requestsByAddress = { windowMs: 10 * minute, limit: 10, failedOnly: false };
const mailsByEmail = { windowMs: 60 * minute, limit: 5, failedOnly: false };
const visitsByAddress = { windowMs: minute, limit: 60, failedOnly: false };

/** Of each body, better-auth only receives the fields that are named here. Its other endpoints cannot be reached. */
export function signInRoutes(users: Users, { mail, providers }: UsersConfig, log: Log): Router {
  // better-auth gets the path as it was sent, so it must match exactly.
  const router = Router({ caseSensitive: true, strict: true });
  const json = [jsonBody(maxBody), rejectLongEmail];
  const mailLimit = mail ? [limitByEmail(mailsByEmail)] : [];
  const forward = (pick: PickFields = () => ({})) => forwardToBetterAuth(users, pick);

  function post(path: string, ...handlers: readonly RequestHandler[]): void {
    router.post(path, json, ...handlers);
    router.all(path, allowMethods('POST'));
  }

  post(
    '/sign-in/email',
    limitByAddress(guessesByAddress),
    limitByEmail(guessesByEmail),
    forward(({ email, password, callbackURL }) => ({ email, password, callbackURL })),
  );
  post(
    '/sign-up/email',
    limitByAddress(requestsByAddress),
    ...mailLimit,
    // better-auth requires a name, and nothing uses it.
    forward(({ email, password, callbackURL }) => ({ name: email, email, password, callbackURL })),
  );
  post(
    '/sign-in/social',
    limitByAddress(requestsByAddress),
    forward(({ provider, callbackURL, errorCallbackURL }) => ({ provider, callbackURL, errorCallbackURL })),
  );
  post(
    '/request-password-reset',
    limitByAddress(requestsByAddress),
    ...mailLimit,
    mail ? requestReset(users, log) : rejectReset,
  );
  post(
    '/reset-password',
    limitByAddress(guessesByAddress),
    forward(({ newPassword, token }) => ({ newPassword, token })),
  );
  post('/sign-out', forward());

  // Browsers follow links in mails, and redirects from a provider.
  for (const path of ['/verify-email', ...Object.keys(providers).map((name) => `/callback/${name}`)]) {
    router.head(path, allowMethods('GET'));
    router.get(path, limitByAddress(visitsByAddress), forward());
    router.all(path, allowMethods('GET'));
  }
  return router;
}

const rejectReset: RequestHandler = (_request, response) => {
  reject(response, 409, 'This service sends no mail. Ask its operator for a link.');
};

/**
 * Sends a link that sets a new password, if the address has an account. The response does not wait for it, so that
 * its timing does not reveal whether there is an account.
 */
function requestReset(users: Users, log: Log): RequestHandler {
  return (request, response) => {
    const email: unknown = request.body?.email;
    if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email)) {
      return reject(response, 400, invalidEmail);
    }
    sendJson(response, 200, {});
    return users(request)
      .then(({ api }) => api.requestPasswordReset({ body: { email } }))
      .catch((error: Error) => log('A link to set a new password could not be created.', error));
  };
}

/** Picks the fields of a body that better-auth receives. */
type PickFields = (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

function forwardToBetterAuth(users: Users, pick: PickFields): RequestHandler {
  return async (request, response) => {
    const auth = await users(request);
    const body = pick(isObject(request.body) ? request.body : {});
    const ask = () => auth.handler(toWebRequest(request, body, String(auth.options.baseURL)));
    const result = await ask();
    // 422: of two concurrent sign-ups with one address, the later one. Now it finds the account.
    await relay(response, result.status === 422 ? await ask() : result, auth, request.method);
  };
}

/** better-auth only needs the cookies: the origin has been checked. */
function toWebRequest(
  { method, headers, originalUrl }: Request,
  body: unknown,
  origin: string,
): globalThis.Request {
  // Links have their parameters in the query, other requests in the body.
  const target = method === 'GET' ? originalUrl : originalUrl.split('?', 1)[0];
  return new globalThis.Request(new URL(target ?? '', origin), {
    method,
    headers: { 'Content-Type': 'application/json', Cookie: headers.cookie ?? '' },
    body: method === 'GET' ? null : JSON.stringify(body),
  });
}

/** Sends status, cookies and redirect; of the body only a URL or an error, because it contains the session's token. */
async function relay(
  response: Response,
  result: globalThis.Response,
  { options }: BetterAuth,
  method: string,
): Promise<void> {
  const { status, headers } = result;
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
  const location = headers.get('Location');
  if (status >= 300 && status < 400 && location !== null) {
    return redirect(response, ownPath(location, String(options.baseURL)));
  }
  const parsed: unknown = await result.json().catch(() => undefined);
  const body = isObject(parsed) ? parsed : {};
  if (status < 400) {
    return sendJson(response, 200, typeof body['url'] === 'string' ? { url: body['url'] } : {});
  }
  if (status >= 500 || status === 422) throw new UnavailableError(`better-auth responded with ${status}.`);
  const error = errorMessage(body);
  if (method === 'GET') {
    const query = new URLSearchParams({ error: error ?? 'The link is invalid.' });
    return redirect(response, `/dashboard/sign-in/?${query}`);
  }
  return reject(response, status, error ?? 'Malformed request');
}

/** Keeps redirects on this service. The path `/..//host` resolves to another host. */
function ownPath(location: string, origin: string): string {
  const { origin: target, pathname, search, hash } = new URL(location, origin);
  const isOwn = target === origin && !pathname.startsWith('//');
  return isOwn ? pathname + search + hash : '/dashboard/sign-in/';
}

function redirect(response: Response, location: string): void {
  response.writeHead(302, { Location: location, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
}

/** better-auth's message for users; undefined: the request was malformed, which no user can correct. */
function errorMessage({ code, message }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof message !== 'string') return undefined;
  if (code !== 'VALIDATION_ERROR') return message;
  return message.startsWith('[body.email]') ? invalidEmail : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
