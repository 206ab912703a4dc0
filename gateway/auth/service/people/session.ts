import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../../../clock.ts';
import { accountOfUser } from '../../accounts.ts';
import type { AccountRow, Database } from '../../store/tables.ts';
import { answerError } from '../answer.ts';
import type { PeopleOf } from './people-of.ts';

/** Who is signed in. */
export interface SignedIn {
  readonly account: AccountRow;
  readonly email: string;
}

/** A response to someone who is signed in; see `requireSession`. */
export type SessionResponse = Response<unknown, { signedIn: SignedIn }>;

/**
 * Lets a request on if its session is alive, and says whose it is in `response.locals.signedIn`.
 *
 * @param plan of a new account
 */
export function requireSession(
  peopleOf: PeopleOf,
  database: Database,
  clock: Clock,
  plan: string,
): RequestHandler {
  return async (request: Request, response: Response, next) => {
    const people = await peopleOf(request);
    const headers = new Headers({ Cookie: request.headers.cookie ?? '' });
    const { headers: refreshed, response: session } = await people.api.getSession({
      headers,
      returnHeaders: true,
    });
    const cookies = refreshed?.getSetCookie() ?? [];
    if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
    if (!session) return answerError(response, 401, 'You are not signed in.');
    const account = await accountOfUser(database, clock, session.user, plan);
    if (account.blockedAt !== null) return answerError(response, 403, 'This account is blocked.');
    response.locals['signedIn'] = { account, email: session.user.email } satisfies SignedIn;
    return next();
  };
}
