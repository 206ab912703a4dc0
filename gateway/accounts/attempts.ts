/** Limits of attempts: guesses of passwords, sign-ups, mails. By express-rate-limit, decided in memory. */
import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../clock.ts';
import { limitWindow, networkOf, type WindowStore, windowStore } from '../limits/window.ts';
import { reject } from './middleware.ts';

interface AttemptLimit {
  /** Minutes of a window, which begins with its first attempt. */
  readonly minutes: number;
  /** Attempts in a window. */
  readonly limit: number;
  /** Who makes the attempts, or is affected by them; default: the client's network. */
  readonly of?: (request: Request, response: Response) => string;
  /** Whether only wrong passwords and tokens count. */
  readonly failedOnly?: boolean;
}

const day = 24 * 60;

/** The email address of a session, or the one in a parsed body. */
export function emailOf({ body }: Request, { locals }: Response): string {
  const email: unknown = locals['signedIn']?.email ?? body?.email;
  return typeof email === 'string' ? email.toLowerCase() : '';
}

const network = ({ ip = '' }: Request) => networkOf(ip);

/** Header field in which better-auth receives the network of the client. */
export const networkField = 'x-network';

/** All limits. */
const attemptLimits = {
  signIn: { minutes: 1, limit: 10, failedOnly: true },
  /** Successful ones count, too: each hashes a password. Enough for a class behind one address. */
  passwords: { minutes: 1, limit: 60 },
  signUp: { minutes: 10, limit: 10 },
  /** With a password or through a provider. */
  newUsers: { minutes: day, limit: 30 },
  provider: { minutes: 10, limit: 10 },
  resetRequest: { minutes: 10, limit: 10 },
  reset: { minutes: 1, limit: 10, failedOnly: true },
  /** More than anyone creates by hand. */
  keys: { minutes: 1, limit: 30 },
  /** Visits to the targets of links and redirects. */
  visits: { minutes: 1, limit: 60 },
  /** Wrong passwords for one email address from one network, and from all networks. */
  guesses: {
    minutes: 15,
    limit: 20,
    failedOnly: true,
    of: (request, response) => `${network(request)} ${emailOf(request, response)}`,
  },
  guessesOfAll: { minutes: 15, limit: 100, failedOnly: true, of: emailOf },
  mailRequests: { minutes: 60, limit: 5, of: emailOf },
  /** Whatever causes the mails, nobody's mailbox is filled. */
  mails: { minutes: 60, limit: 5, of: emailOf },
} as const satisfies Readonly<Record<string, AttemptLimit>>;

type LimitName = keyof typeof attemptLimits;

/** Statuses of responses to a wrong password or token. */
const failures: ReadonlySet<number> = new Set([400, 401, 403]);

export type Attempts = ReturnType<typeof openAttempts>;

/** Opens the limits of this process. */
export function openAttempts(clock: Clock) {
  const opened = Object.fromEntries(
    Object.entries<AttemptLimit>(attemptLimits).map(([name, limit]) => {
      const store = windowStore(limit.minutes * 60_000, clock);
      return [name, { store, handler: handlerOf(name, limit, store, clock) }];
    }),
  ) as Record<LimitName, { store: WindowStore; handler: RequestHandler }>;
  return {
    /** Rejects requests with 429 beyond these limits. */
    limit: (...names: readonly LimitName[]) => names.map((name) => opened[name].handler),
    /** Counts an attempt, unless the limit is reached. @returns whether it is allowed */
    take(name: LimitName, who: string): boolean {
      const { store } = opened[name];
      const isAllowed = store.peek(who).totalHits <= attemptLimits[name].limit;
      if (isAllowed) store.increment(who);
      return isAllowed;
    },
  };
}

function handlerOf(
  name: string,
  { minutes, limit, of = network, failedOnly = false }: AttemptLimit,
  store: WindowStore,
  clock: Clock,
): RequestHandler {
  const options = {
    windowMs: minutes * 60_000,
    limit,
    store: failedOnly ? { ...store, increment: store.peek } : store,
    keyGenerator: of as (request: Request, response: Response) => string,
  };
  const handler = limitWindow(options, clock, (response, seconds) => {
    const wait = seconds > 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
    const error = `Too many attempts. Try again in ${wait}.`;
    reject(response, 429, error, { 'Retry-After': String(seconds) });
  });
  if (!failedOnly) return handler;
  return (request, response, next) => {
    // Once, although the limit is checked again when it is the request's turn.
    if (response.locals[name] === undefined)
      response.once('finish', () => {
        if (failures.has(response.statusCode)) store.increment(response.locals[name]);
      });
    response.locals[name] = of(request, response);
    return handler(request, response, next);
  };
}
