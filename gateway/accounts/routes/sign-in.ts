/** Sign-up, sign-in and passwords: the routes of better-auth that the dashboard uses. */
import type { Request, RequestHandler, Response, Router } from 'express';
import type { System } from '../../clock.ts';
import { sendError } from '../../http.ts';
import { networkOf } from '../../limits/window.ts';
import type { Log } from '../../log/logger.ts';
import { networkField } from '../attempts.ts';
import type { BetterAuth } from '../better-auth.ts';
import names from '../browsers.json' with { type: 'json' };
import { addRoute, jsonBody, reject, sendJson, UnavailableError } from '../middleware.ts';
import {
  inTurn,
  invalidEmail,
  rejectEasyPassword,
  requireTexts,
  wrongPassword,
} from '../passwords.ts';
import type { RouteParts, Users } from '../users.ts';

/** Bytes of a body: an address, a password, and where to continue. */
const maxBody = 8 * 1024;

/** Of each body, better-auth only receives the fields that are named here. Its other endpoints cannot be reached. */
export function addSignInRoutes(router: Router, parts: RouteParts): void {
  const { signedIn, users, attempts, config, system, log } = parts;
  const { mail, providers } = config.users;
  const { limit } = attempts;
  const mailLimit = mail ? limit('mailRequests') : [];
  const isOpen = config.bank.signUp === 'open';
  /** Checked again when it is the request's turn: those that waited with it may have failed. */
  const guess = (...limits: readonly RequestHandler[]) => [...limits, inTurn, ...limits];

  /**
   * @param texts fields of the body that must be texts
   * @param steady statuses of responses that are sent at multiples of `steadyInterval` after the request
   * @param more fields for better-auth that the client does not choose
   */
  function post(
    path: string,
    texts: readonly string[],
    handlers: readonly RequestHandler[],
    steady: readonly number[] = [],
    more: object = {},
  ): void {
    // Only these lead back to a page afterwards.
    const returns = /^\/sign-(?:in|up)\//.test(path);
    const fields = returns ? [...texts, 'callbackURL', 'errorCallbackURL'] : texts;
    const forward = forwardToBetterAuth(users, system, fields, steady, more);
    addRoute(router, path, {
      POST: [jsonBody(maxBody), requireTexts(...texts), ...handlers, forward],
    });
  }

  post(
    '/sign-in/email',
    ['email', 'password'],
    [...limit('passwords'), ...guess(...limit('signIn', 'guesses', 'guessesOfAll'))],
    [401, 403],
  );
  post(
    '/sign-up/email',
    ['email', 'password'],
    [
      ...(isOpen ? [] : [rejecting(403, 'Sign-up is closed. Ask the operator for a key.')]),
      ...limit('signUp'),
      rejectEasyPassword('password'),
      ...limit('newUsers'),
      ...mailLimit,
      inTurn,
    ],
    [200],
    // better-auth requires a name, and nothing uses it.
    { name: '-' },
  );
  post('/sign-in/social', ['provider'], limit('provider'));
  post('/request-password-reset', mail ? ['email'] : [], [
    ...limit('resetRequest'),
    ...mailLimit,
    mail
      ? requestReset(users, log)
      : rejecting(409, 'This service does not send email. Ask its operator for a link.'),
  ]);
  post(
    '/reset-password',
    ['newPassword', 'token'],
    [...limit('passwords'), rejectEasyPassword('newPassword'), ...guess(...limit('reset'))],
  );
  post(
    '/change-password',
    ['currentPassword', 'newPassword'],
    [
      signedIn,
      ...limit('passwords'),
      rejectEasyPassword('newPassword'),
      ...guess(...limit('guesses', 'guessesOfAll')),
    ],
    [],
    { revokeOtherSessions: true },
  );
  post('/sign-out', [], []);

  // Browsers follow links in mails, and redirects from a provider. HEAD would use them up.
  const callbacks = Object.keys(providers).map((name) => `/callback/${name}`);
  for (const path of ['/verify-email', ...callbacks]) {
    router.head(path, (_request, response) =>
      sendError(response, 'methodNotAllowed', { Allow: 'GET' }),
    );
    const forward = forwardToBetterAuth(users, system);
    addRoute(router, path, { GET: [...limit('visits'), forward] });
  }
}

function rejecting(status: number, error: string): RequestHandler {
  return (_request, response) => reject(response, status, error);
}

/**
 * Sends a link that sets a new password, if the address has an account. The response does not wait for it, so that its
 * time does not reveal whether there is an account.
 */
function requestReset(users: Users, log: Log): RequestHandler {
  return (request, response) => {
    response.once('finish', () => {
      users()
        .then(({ api }) => api.requestPasswordReset({ body: { email: request.body.email } }))
        .catch((error: Error & { readonly statusCode?: number }) => {
          // better-auth rejects some addresses that `requireTexts` accepts. They have no account.
          if (error.statusCode !== 400)
            log('A link to set a new password could not be created.', error);
        });
    });
    sendJson(response, 200, {});
  };
}

/**
 * Milliseconds: responses whose time could reveal whether an address has an account are sent at multiples of it. It is
 * longer than it takes to hash a password and to write a new user.
 */
const steadyInterval = 250;

/**
 * @param fields of the body that better-auth receives, beside `more`
 * @param steady as in `post`
 */
function forwardToBetterAuth(
  users: Users,
  system: System,
  fields: readonly string[] = [],
  steady: readonly number[] = [],
  more: object = {},
): RequestHandler {
  return async (request, response) => {
    const start = system.elapsed();
    const auth = await users();
    const picked = fields.map((name) => [name, request.body?.[name]]);
    const body = { ...more, ...Object.fromEntries(picked) };
    const ask = () => auth.handler(toWebRequest(request, body, String(auth.options.baseURL)));
    const first = await ask();
    // 422: of two concurrent sign-ups with one address, the later one. Now it finds the account.
    const result = first.status === 422 ? await ask() : first;
    if (steady.includes(result.status))
      await system.wait(steadyInterval - ((system.elapsed() - start) % steadyInterval));
    await relay(response, result, auth, request.method);
  };
}

/** better-auth needs the cookies, the client's network and the name of the browser: the origin has been checked. */
function toWebRequest(request: Request, body: unknown, origin: string): globalThis.Request {
  const { method, headers, originalUrl } = request;
  // Links have their parameters in the query, other requests in the body.
  const target = method === 'GET' ? originalUrl : originalUrl.split('?', 1)[0];
  return new globalThis.Request(new URL(target ?? '', origin), {
    method,
    headers: {
      'Content-Type': 'application/json',
      Cookie: headers.cookie ?? '',
      'User-Agent': browserOf(headers['user-agent']),
      [networkField]: networkOf(request.ip ?? ''),
    },
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
  const body: Readonly<Record<string, unknown>> =
    (await result.json().catch(() => undefined)) ?? {};
  if (status < 400) {
    return sendJson(response, 200, typeof body['url'] === 'string' ? { url: body['url'] } : {});
  }
  if (status >= 500 || status === 422)
    throw new UnavailableError(`better-auth responded with ${status}.`);
  if (wrongCredentials.has(body['code'])) {
    const hint = options.emailAndPassword.requireEmailVerification ? confirmFirst : '';
    return reject(response, 401, `Invalid email or password.${hint}`);
  }
  if (body['code'] === 'INVALID_PASSWORD') return reject(response, 400, wrongPassword);
  const error = errorMessage(body);
  if (method === 'GET') {
    const query = new URLSearchParams({ error: error ?? 'The link is invalid.' });
    return redirect(response, `/dashboard/sign-in/?${query}`);
  }
  return reject(response, status, error ?? 'Malformed request');
}

/**
 * Codes of errors that get the same response: whoever signed up with another user's address knows the password of the
 * account only if the address was new.
 */
const wrongCredentials: ReadonlySet<unknown> = new Set([
  'INVALID_EMAIL_OR_PASSWORD',
  'EMAIL_NOT_VERIFIED',
]);

const confirmFirst = ' If you have just signed up, first open the link in our email.';

/** Keeps redirects on this service. The path `/..//host` resolves to another host. */
function ownPath(location: string, origin: string): string {
  const { origin: target, pathname, search, hash } = new URL(location, origin);
  const isOwn = target === origin && !pathname.startsWith('//');
  return isOwn ? pathname + search + hash : '/dashboard/sign-in/';
}

function redirect(response: Response, location: string): void {
  response
    .writeHead(302, { Location: location, 'Cache-Control': 'no-store', 'Content-Length': 0 })
    .end();
}

/** better-auth's message for users; undefined: the request was malformed, which no user can correct. */
function errorMessage({ code, message }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof message !== 'string') return undefined;
  if (code !== 'VALIDATION_ERROR') return message;
  return message.startsWith('[body.email]') ? invalidEmail : undefined;
}

/**
 * Names the browser of a request: `Firefox on Linux`. `browsers.json` has the words of browsers and systems in
 * `User-Agent`; others contain the words further down as well. Nothing of the header field itself is stored or shown,
 * since it may contain anything.
 */
export function browserOf(userAgent = ''): string {
  const find = (kind: keyof typeof names) =>
    Object.entries(names[kind]).find(([word]) => userAgent.includes(word))?.[1];
  return [find('browsers') ?? 'Another browser', find('systems')].filter(Boolean).join(' on ');
}
