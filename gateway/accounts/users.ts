import type { RequestHandler, Response } from 'express';
import { notSignedIn } from './accounts.ts';
import type { BetterAuth, ServiceParts } from './better-auth.ts';
import { reject } from './middleware.ts';
import { readSessionSecret } from './passwords.ts';
import type { AccountRow, Database, OwnSession } from './store/tables.ts';

/** Returns better-auth, which is opened at the first request that needs it. */
export type Users = () => Promise<BetterAuth>;

/** What routes of users need. */
export interface RouteParts extends ServiceParts {
  /** Requires a session. */
  readonly signedIn: RequestHandler;
  readonly users: Users;
}

/**
 * Opens better-auth at the first request that needs it: a gateway that only serves papers never loads it.
 *
 * @param origin of links, for settings without PUBLIC_URL
 */
export function openUsers(shared: ServiceParts, origin: () => string): Users {
  const { config, attempts, system, log } = shared;
  const { publicUrl, mail } = config.users;
  let opened: Promise<BetterAuth> | undefined;

  async function open(): Promise<BetterAuth> {
    const { openBetterAuth } = await import('./better-auth.ts');
    return openBetterAuth({
      ...shared,
      origin: publicUrl ?? origin(),
      sessionSecret: await readSessionSecret(config, system),
      sendMail:
        mail && (await import('./mail.ts')).smtpMailer(mail, config.bank.name, attempts, log),
    });
  }

  return () => {
    opened ??= open().catch((error: unknown) => {
      // The next request tries again.
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

/** The user of a session. */
export interface SignedIn {
  readonly account: AccountRow;
  readonly email: string;
  readonly session: OwnSession;
}

/** Whether a user can sign in with a password, and not only through a provider. */
export async function hasPassword(database: Database, userId: string): Promise<boolean> {
  const login = await database
    .selectFrom('logins')
    .select('userId')
    .where((login) => login.and({ userId, providerId: 'credential' }))
    .executeTakeFirst();
  return login !== undefined;
}

/** The user of a request behind `requireSession`. */
export function userOf(response: Response): SignedIn {
  return response.locals['signedIn'];
}

/** Rejects requests without a valid session. For the others, `userOf` returns the user. */
export function requireSession(users: Users, database: Database): RequestHandler {
  return async (request, response, next) => {
    const { api } = await users();
    const headers = new Headers({ Cookie: request.headers.cookie ?? '' });
    const { headers: sent, response: session } = await api.getSession({
      headers,
      returnHeaders: true,
    });
    const cookies = sent?.getSetCookie() ?? [];
    if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
    const account =
      session &&
      (await database
        .selectFrom('accounts')
        .selectAll()
        .where('userId', '=', session.user.id)
        .executeTakeFirst());
    if (!account) return reject(response, 401, notSignedIn);
    if (account.blockedAt !== null) return reject(response, 403, 'This account is blocked.');
    response.locals['signedIn'] = {
      account,
      email: session.user.email,
      session: session.session,
    } satisfies SignedIn;
    return next();
  };
}
