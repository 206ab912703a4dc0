/** Users, passwords and sessions by better-auth, in tables of this project. Loaded when first needed. */
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { defaultPlan } from '../../build/release/plans.ts';
import type { System } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log/logger.ts';
import { accountOfUser, RequestError } from './accounts.ts';
import { type Attempts, networkField, openAttempts } from './attempts.ts';
import type { SendMail } from './mail.ts';
import { passwordLength, readSessionSecret } from './passwords.ts';
import type { Database } from './store/tables.ts';

/** Seconds that links in mails are valid. */
const linkAge = 3600;

const basePath = '/auth';

/** What the parts of the service have in common. */
export interface ServiceParts {
  readonly config: Config;
  readonly database: Database;
  readonly attempts: Attempts;
  readonly system: System;
  readonly log: Log;
}

interface BetterAuthParts extends ServiceParts {
  /** Scheme and host of links. */
  readonly origin: string;
  readonly sessionSecret: string;
  /** Undefined: addresses are not verified, and users cannot reset their password. */
  readonly sendMail: SendMail | undefined;
}

export type BetterAuth = ReturnType<typeof openBetterAuth>;

export function openBetterAuth(parts: BetterAuthParts) {
  const { config, database, attempts, origin, sessionSecret, system, log } = parts;
  const hasMail = parts.sendMail !== undefined;
  const sendMail: SendMail = parts.sendMail ?? (async () => {});
  const plan = defaultPlan(config.plans);
  return betterAuth({
    appName: config.bank.name,
    baseURL: origin,
    basePath,
    secret: sessionSecret,
    database: { db: database, type: config.database.kind },
    telemetry: { enabled: false },
    // Its other arguments may contain addresses and tokens, and the part after a colon what the user sent.
    logger: {
      level: 'error',
      log: (_level, message) => log(`Accounts: ${message.split(':', 1)[0]}`),
    },
    // `attempts.ts` limits attempts, by the address that trusted proxies report.
    rateLimit: { enabled: false },
    // Errors are thrown, to be logged here: better-auth would log what the database says of a row.
    onAPIError: { errorURL: '/dashboard/sign-in/', throw: true },
    user: { modelName: 'users' },
    // Seconds that a session lasts, and after which its use extends it.
    session: { modelName: 'sessions', expiresIn: 7 * 86_400, updateAge: 3600 },
    account: { modelName: 'logins', encryptOAuthTokens: true },
    verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
    advanced: {
      useSecureCookies: origin.startsWith('https:'),
      cookiePrefix: 'pastpaper',
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: basePath },
      ipAddress: { disableIpTracking: true },
      // Every state change has passed rejectOtherOrigins.
      disableCSRFCheck: true,
      disableOriginCheck: false,
      // A response that waits for the mail server would reveal that there is an account.
      backgroundTasks: { handler: (task) => void task },
    },
    emailVerification: {
      sendOnSignUp: hasMail,
      sendOnSignIn: hasMail,
      // Whoever opens the link may not be the one who chose the password.
      autoSignInAfterVerification: false,
      expiresIn: linkAge,
      sendVerificationEmail: ({ user, url }) => sendMail('verification', user.email, url),
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      ...(system.passwords && { password: system.passwords }),
      resetPasswordTokenExpiresIn: linkAge,
      revokeSessionsOnPasswordReset: true,
      // Older links must not set the password again.
      onPasswordReset: async ({ user }) => {
        await database.deleteFrom('verifications').where('value', '=', user.id).execute();
      },
      // A sign-up that signs in would reveal whether the address was new.
      autoSignIn: false,
      requireEmailVerification: hasMail,
      // After the #, which browsers do not send: no log of a server or proxy has the token.
      sendResetPassword: ({ user, token }) =>
        sendMail(
          'reset',
          user.email,
          `${origin}/dashboard/reset-password/#${new URLSearchParams({ token })}`,
        ),
      onExistingUserSignUp: ({ user }) =>
        sendMail('existingAccount', user.email, `${origin}/dashboard/sign-in/`),
    },
    socialProviders: Object.fromEntries(
      Object.entries(config.users.providers).map(([name, client]) => [
        name,
        { ...client, disableSignUp: config.bank.signUp === 'closed' },
      ]),
    ),
    databaseHooks: {
      user: {
        create: {
          before: async (_user, context) => {
            // Sign-ups with a password were counted before their response could depend on whether the address is new.
            if (context?.path === '/sign-up/email') return;
            if (!attempts.take('newUsers', context?.headers?.get(networkField) ?? ''))
              throw new APIError('TOO_MANY_REQUESTS', { message: 'Too many sign-ups.' });
          },
        },
      },
      session: {
        create: {
          before: async ({ userId }) => {
            const account = await accountOfUser(database, system, sessionSecret, userId, plan);
            if (account.blockedAt !== null)
              throw new APIError('FORBIDDEN', { message: 'This account is blocked.' });
            await deleteExpired(database, system.now());
          },
          after: ({ userId }) => endOldSessions(database, userId),
        },
      },
    },
  });
}

/** Sessions of one user: more than anyone has browsers. */
const maxSessions = 10;

async function endOldSessions(database: Database, userId: string): Promise<void> {
  const newest = database
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(maxSessions);
  await database
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', 'not in', newest)
    .execute();
}

/** Deletes sessions and links of users who never returned. */
async function deleteExpired(database: Database, now: number): Promise<void> {
  const end = new Date(now).toISOString();
  await database.deleteFrom('sessions').where('expiresAt', '<', end).execute();
  await database.deleteFrom('verifications').where('expiresAt', '<', end).execute();
}

/**
 * Creates a link that sets a new password, for the operator to hand over where no mail is sent.
 *
 * @param email of the user
 * @throws RequestError when there is no such user
 */
export async function createResetLink(
  config: Config,
  database: Database,
  system: System,
  email: string,
): Promise<string> {
  const user = await database
    .selectFrom('users')
    .select('email')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  if (!user)
    throw new RequestError(
      `There is no user "${email}". Run npx pastpaper accounts list to see all users.`,
    );
  const links: string[] = [];
  const { api } = openBetterAuth({
    config,
    database,
    attempts: openAttempts(system),
    origin: config.users.publicUrl ?? `http://${config.host}:${config.port}`,
    sessionSecret: await readSessionSecret(config, system),
    sendMail: async (_kind, _to, link) => void links.push(link),
    system,
    log: () => {},
  });
  await api.requestPasswordReset({ body: { email: user.email } });
  const [link] = links;
  if (link === undefined) throw new Error('better-auth made no link.');
  return link;
}
