import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { Clock } from '../../../clock.ts';
import type { PeopleConfig } from '../../../config.ts';
import type { Log } from '../../../log/log.ts';
import { accountOfUser } from '../../accounts.ts';
import type { DatabaseLocation } from '../../store/location.ts';
import type { Database } from '../../store/tables.ts';
import { passwordLength } from './password.ts';
import type { Post } from './post.ts';

/** Seconds that a link in a mail works, and that one stays signed in. */
const linkAge = 3600;
const sessionAge = 7 * 86_400;

const basePath = '/auth';

/** What accounts and sessions are made of. */
export interface PeopleParts {
  readonly database: Database;
  readonly kind: DatabaseLocation['kind'];
  readonly providers: PeopleConfig['providers'];
  /** Scheme and host of links. */
  readonly origin: string;
  /** Whether cookies are for HTTPS alone. */
  readonly secureCookies: boolean;
  readonly sessionSecret: string;
  /** Plan of a new account. */
  readonly plan: string;
  /** Undefined: addresses are taken as they are, and no one is sent a link. */
  readonly post: Post | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export type People = ReturnType<typeof openPeople>;

/** Accounts and sessions of people, by better-auth: its tables, under this project's names. */
export function openPeople(parts: PeopleParts) {
  const { database, kind, providers, origin, secureCookies, sessionSecret, plan, post, clock, log } = parts;
  return betterAuth({
    appName: 'Pastpaper',
    baseURL: origin,
    basePath,
    secret: sessionSecret,
    database: { db: database, type: kind },
    telemetry: { enabled: false },
    // Its other arguments may hold addresses and tokens; what follows a colon is what was sent.
    logger: { level: 'error', log: (_level, message) => log(`Accounts: ${message.split(':', 1)[0]}`) },
    // express-rate-limit does it, by the address that trusted proxies tell.
    rateLimit: { enabled: false },
    // Faults are thrown, to be logged here: better-auth prints them whole, with what a database says of a row.
    onAPIError: { errorURL: '/dashboard/sign-in/', throw: true },
    user: { modelName: 'users' },
    session: { modelName: 'sessions', expiresIn: sessionAge },
    account: { modelName: 'logins', encryptOAuthTokens: true },
    verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
    advanced: {
      useSecureCookies: secureCookies,
      cookiePrefix: 'pastpaper',
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: basePath },
      ipAddress: { disableIpTracking: true },
      // Every state change has passed refuseOtherOrigins.
      disableCSRFCheck: true,
      disableOriginCheck: false,
      // An answer that waited for the mail server would tell that there is an account.
      backgroundTasks: { handler: (task) => void task },
    },
    ...(post && verificationBy(post)),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      resetPasswordTokenExpiresIn: linkAge,
      revokeSessionsOnPasswordReset: true,
      // Older links would set the password once more.
      onPasswordReset: async ({ user }) => {
        await database.deleteFrom('verifications').where('value', '=', user.id).execute();
      },
      // A sign-up that signs in would tell whether the address was new.
      autoSignIn: false,
      requireEmailVerification: post !== undefined,
      ...(post && {
        // Behind the #, which no browser sends: the token reaches no log of a server or a proxy.
        sendResetPassword: ({ user, token }) =>
          post.reset(user.email, `${origin}/dashboard/reset-password/#${new URLSearchParams({ token })}`),
        onExistingUserSignUp: ({ user }) => post.existingAccount(user.email, `${origin}/dashboard/sign-in/`),
      }),
    },
    socialProviders: providers,
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => {
            const user = await database
              .selectFrom('users')
              .select(['id', 'email'])
              .where('id', '=', userId)
              .executeTakeFirstOrThrow();
            const { blockedAt } = await accountOfUser(database, clock, user, plan);
            if (blockedAt !== null) throw new APIError('FORBIDDEN', { message: 'This account is blocked.' });
            await forgetExpired(database, clock.now());
          },
        },
      },
    },
  });
}

/** Sessions and links that have ended, whose people never came back. */
async function forgetExpired(database: Database, now: number): Promise<void> {
  const end = new Date(now).toISOString();
  await database.deleteFrom('sessions').where('expiresAt', '<', end).execute();
  await database.deleteFrom('verifications').where('expiresAt', '<', end).execute();
}

function verificationBy(post: Post): Pick<BetterAuthOptions, 'emailVerification'> {
  return {
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      // Who opens the link need not be the one who chose the password.
      autoSignInAfterVerification: false,
      expiresIn: linkAge,
      sendVerificationEmail: ({ user, url }) => post.verification(user.email, url),
    },
  };
}
