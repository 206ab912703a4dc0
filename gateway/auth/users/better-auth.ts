/** Users, passwords and sessions by better-auth, in tables of this project. Loaded when first needed. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { createFolder } from '../../../build/release/drafts.ts';
import type { Clock } from '../../clock.ts';
import type { Config, UsersConfig } from '../../config.ts';
import { type DatabaseLocation, defaultPlan } from '../../config-values.ts';
import type { Log } from '../../log/logger.ts';
import { accountOfUser, MissingError } from '../accounts.ts';
import { StorageError } from '../store/store.ts';
import type { Database } from '../store/tables.ts';
import { passwordLength } from './credentials.ts';
import type { Mailer } from './mail.ts';

/** Seconds that links in mails are valid, and that a session lasts. */
const linkAge = 3600;
const sessionAge = 7 * 86_400;

const basePath = '/auth';

export interface BetterAuthParts {
  readonly database: Database;
  readonly kind: DatabaseLocation['kind'];
  readonly providers: UsersConfig['providers'];
  /** Scheme and host of links. */
  readonly origin: string;
  /** Whether browsers send the cookies over HTTPS only. */
  readonly secureCookies: boolean;
  readonly sessionSecret: string;
  /** Plan of a new account. */
  readonly plan: string;
  /** Undefined: addresses are not verified, and users cannot reset their password. */
  readonly mailer: Mailer | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export type BetterAuth = ReturnType<typeof openBetterAuth>;

export function openBetterAuth(parts: BetterAuthParts) {
  const { database, kind, providers, origin, secureCookies, sessionSecret, plan, mailer, clock, log } = parts;
  return betterAuth({
    appName: 'Pastpaper',
    baseURL: origin,
    basePath,
    secret: sessionSecret,
    database: { db: database, type: kind },
    telemetry: { enabled: false },
    // Its other arguments may contain addresses and tokens, and the part after a colon what the user sent.
    logger: { level: 'error', log: (_level, message) => log(`Accounts: ${message.split(':', 1)[0]}`) },
    // express-rate-limit limits requests, by the address that trusted proxies report.
    rateLimit: { enabled: false },
    // Errors are thrown, to be logged here: better-auth would log what the database says of a row.
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
      // Every state change has passed rejectOtherOrigins.
      disableCSRFCheck: true,
      disableOriginCheck: false,
      // A response that waits for the mail server would reveal that there is an account.
      backgroundTasks: { handler: (task) => void task },
    },
    ...(mailer && verificationBy(mailer)),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      resetPasswordTokenExpiresIn: linkAge,
      revokeSessionsOnPasswordReset: true,
      // Older links must not set the password again.
      onPasswordReset: async ({ user }) => {
        await database.deleteFrom('verifications').where('value', '=', user.id).execute();
      },
      // A sign-up that signs in would reveal whether the address was new.
      autoSignIn: false,
      requireEmailVerification: mailer !== undefined,
      ...(mailer && {
        // After the #, which browsers do not send: no log of a server or proxy has the token.
        sendResetPassword: ({ user, token }) =>
          mailer.reset(user.email, `${origin}/dashboard/reset-password/#${new URLSearchParams({ token })}`),
        onExistingUserSignUp: ({ user }) =>
          mailer.existingAccount(user.email, `${origin}/dashboard/sign-in/`),
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
            await deleteExpired(database, clock.now());
          },
        },
      },
    },
  });
}

/** Deletes sessions and links of users who never returned. */
async function deleteExpired(database: Database, now: number): Promise<void> {
  const end = new Date(now).toISOString();
  await database.deleteFrom('sessions').where('expiresAt', '<', end).execute();
  await database.deleteFrom('verifications').where('expiresAt', '<', end).execute();
}

function verificationBy(mailer: Mailer): Pick<BetterAuthOptions, 'emailVerification'> {
  return {
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      // Whoever opens the link may not be the one who chose the password.
      autoSignInAfterVerification: false,
      expiresIn: linkAge,
      sendVerificationEmail: ({ user, url }) => mailer.verification(user.email, url),
    },
  };
}

const secretFile = 'session-secret';

/**
 * Reads the secret that signs sessions from the data folder, for settings without SESSION_SECRET. Creates it first
 * where it is missing.
 *
 * @throws StorageError when it cannot be read or written
 */
export async function readSessionSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, secretFile);
  try {
    await createFolder(dataDir, 0o700);
    // Of two processes that start at once, one writes it and both read it.
    await writeFile(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
    const secret = await readFile(path, 'utf8');
    if (secret.length < 32) {
      throw new Error(`${secretFile} is incomplete. Remove it: all users must then sign in again.`);
    }
    return secret;
  } catch (error) {
    throw new StorageError(`The data folder ${dataDir} cannot be used: ${(error as Error).message}`);
  }
}

/**
 * Creates a link that sets a new password, for the operator to hand over where no mail is sent.
 *
 * @param email of the user
 * @throws MissingError when there is no such user
 */
export async function createResetLink(
  { users: settings, plans, dataDir, host, port, database: { kind } }: Config,
  database: Database,
  clock: Clock,
  email: string,
): Promise<string> {
  const user = await database
    .selectFrom('users')
    .select('email')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  if (!user) throw new MissingError(`There is no user "${email}". npm run accounts -- list lists them.`);
  const links: string[] = [];
  const { api } = openBetterAuth({
    database,
    kind,
    providers: {},
    origin: settings.publicUrl ?? `http://${host}:${port}`,
    secureCookies: false,
    sessionSecret: settings.sessionSecret ?? (await readSessionSecret(dataDir)),
    plan: defaultPlan(plans),
    mailer: {
      verification: async () => {},
      reset: async (_to, link) => void links.push(link),
      existingAccount: async () => {},
    },
    clock,
    log: () => {},
  });
  await api.requestPasswordReset({ body: { email: user.email } });
  const [link] = links;
  if (link === undefined) throw new Error('better-auth made no link.');
  return link;
}
