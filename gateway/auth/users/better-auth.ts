/** Users, passwords and sessions by better-auth, in tables of this project. Loaded when first needed. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { createFolder } from '../../../build/release/drafts.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { defaultPlan } from '../../config-values.ts';
import type { Log } from '../../log/logger.ts';
import { accountOfUser, MissingError } from '../accounts.ts';
import { StorageError } from '../store/store.ts';
import type { Database } from '../store/tables.ts';
import { passwordLength } from './credentials.ts';
import type { SendMail } from './mail.ts';

/** Seconds that links in mails are valid, and that a session lasts. */
const linkAge = 3600;
const sessionAge = 7 * 86_400;

const basePath = '/auth';

export interface BetterAuthParts {
  readonly config: Config;
  readonly database: Database;
  /** Scheme and host of links. */
  readonly origin: string;
  /** Whether browsers send the cookies over HTTPS only. */
  readonly secureCookies: boolean;
  readonly sessionSecret: string;
  /** Undefined: addresses are not verified, and users cannot reset their password. */
  readonly sendMail: SendMail | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export type BetterAuth = ReturnType<typeof openBetterAuth>;

export function openBetterAuth(parts: BetterAuthParts) {
  const { config, database, origin, secureCookies, sessionSecret, sendMail, clock, log } = parts;
  return betterAuth({
    appName: 'Pastpaper',
    baseURL: origin,
    basePath,
    secret: sessionSecret,
    database: { db: database, type: config.database.kind },
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
    ...(sendMail && {
      emailVerification: {
        sendOnSignUp: true,
        sendOnSignIn: true,
        // Whoever opens the link may not be the one who chose the password.
        autoSignInAfterVerification: false,
        expiresIn: linkAge,
        sendVerificationEmail: ({ user, url }) => sendMail('verification', user.email, url),
      },
    }),
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
      requireEmailVerification: sendMail !== undefined,
      ...(sendMail && {
        // After the #, which browsers do not send: no log of a server or proxy has the token.
        sendResetPassword: ({ user, token }) =>
          sendMail(
            'reset',
            user.email,
            `${origin}/dashboard/reset-password/#${new URLSearchParams({ token })}`,
          ),
        onExistingUserSignUp: ({ user }) =>
          sendMail('existingAccount', user.email, `${origin}/dashboard/sign-in/`),
      }),
    },
    socialProviders: config.users.providers,
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => {
            const user = await database
              .selectFrom('users')
              .select(['id', 'email'])
              .where('id', '=', userId)
              .executeTakeFirstOrThrow();
            const { blockedAt } = await accountOfUser(database, clock, user, defaultPlan(config.plans));
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

const secretFile = 'session-secret';

/**
 * Returns the secret that signs sessions. Without SESSION_SECRET it is in the data folder, and created where it is
 * missing.
 *
 * @throws StorageError when it cannot be read or written
 */
export async function readSessionSecret({ users, dataDir }: Config): Promise<string> {
  if (users.sessionSecret !== undefined) return users.sessionSecret;
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
  config: Config,
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
    config,
    database,
    origin: config.users.publicUrl ?? `http://${config.host}:${config.port}`,
    secureCookies: false,
    sessionSecret: await readSessionSecret(config),
    sendMail: async (_kind, _to, link) => void links.push(link),
    clock,
    log: () => {},
  });
  await api.requestPasswordReset({ body: { email: user.email } });
  const [link] = links;
  if (link === undefined) throw new Error('better-auth made no link.');
  return link;
}
