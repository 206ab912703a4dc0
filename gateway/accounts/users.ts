import type { RequestHandler, Response } from 'express';
import type { BetterAuth, BetterAuthParts } from './better-auth.ts';
import { notSignedIn, reject } from './middleware.ts';
import { readSessionSecret } from './passwords.ts';
import type { AccountRow, Database, OwnSession } from './store/tables.ts';

/** Returns better-auth, which is opened at the first request that needs it. */
export type Users = () => Promise<BetterAuth>;

type UsersParts = Pick<BetterAuthParts, 'config' | 'database' | 'attempts' | 'system' | 'log'> & {
  /** Origin of links, for settings without PUBLIC_URL. */
  readonly origin: () => string;
};

/** Opens better-auth at the first request that needs it: a gateway that only serves papers never loads it. */
export function openUsers({ origin, ...shared }: UsersParts): Users {
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
interface SignedIn {
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

/** Rejects requests without a cookie that could be that of a session. It reads nothing. */
export const requireCookie: RequestHandler = ({ headers }, response, next) => {
  if (headers.cookie?.includes('session_token=')) next();
  else reject(response, 401, notSignedIn);
};

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
