/** The authentication service: everything under `/auth/`, in a gateway or in a process of its own. */
import { type Express, type RequestHandler, Router } from 'express';
import { createExpress, handleError, noSniff, onlyOneHost } from '../app.ts';
import { repeatEvery, type System } from '../clock.ts';
import type { Config } from '../config.ts';
import type { UsageReader } from '../limits/store.ts';
import type { Log } from '../log/logger.ts';
import { openAttempts } from './attempts.ts';
import { handleErrors, rejectOtherOrigins, sendNotFound } from './middleware.ts';
import type { OpenedKeys } from './open.ts';
import { addAccountRoutes } from './routes/account.ts';
import { addIntrospection } from './routes/introspection.ts';
import { addSignInRoutes } from './routes/sign-in.ts';
import { openUsers, requireSession } from './users.ts';

export type Authentication = ReturnType<typeof openAuthentication>;

/** Milliseconds between two checks for emails that are due. */
const warningInterval = 3_600_000;

/** @param usage what the dashboard shows */
export function openAuthentication(
  config: Config,
  { database, verifyKey }: OpenedKeys,
  usage: UsageReader,
  system: System,
  log: Log,
) {
  const { introspectionSecret, plans } = config;
  const { mail, publicUrl } = config.users;
  let origin = '';
  const attempts = openAttempts(system);
  const shared = { config, database, attempts, system, log };
  const users = openUsers(shared, () => origin);
  const parts = { ...shared, users, signedIn: requireSession(users, database) };
  const routes = Router({ caseSensitive: true });
  // better-auth gets the path as it was sent, so it must match exactly.
  const signInRoutes = Router({ caseSensitive: true, strict: true });
  routes.use(onlyOneHost);
  if (introspectionSecret !== undefined) addIntrospection(routes, introspectionSecret, verifyKey);
  routes.use(rejectOtherOrigins(publicUrl));
  addAccountRoutes(routes, parts, usage);
  addSignInRoutes(signInRoutes, parts);
  routes.use(signInRoutes);
  routes.use(sendNotFound);
  routes.use(handleErrors(log));

  let isClosing = false;
  const warnings = repeatEvery(warningInterval, async () => {
    if (!mail) return;
    try {
      const { sendWarnings, smtpMailer } = await import('./mail.ts');
      await sendWarnings({
        ...{ plans, database, usage, clock: system },
        sendMail: smtpMailer(mail, config.bank.name, attempts, log),
        origin: publicUrl ?? origin,
        isClosing: () => isClosing,
      });
    } catch (error) {
      log(
        'Emails about quotas and expiry could not be sent. The service tries again in an hour.',
        error,
      );
    }
  });
  return {
    /** Everything under `/auth/`: introspection for gateways, and the routes of the dashboard. */
    routes,
    async close(): Promise<void> {
      isClosing = true;
      await warnings.close();
    },
    /** Sets the origin of links, for settings without PUBLIC_URL: where the process listens. */
    setOrigin(listening: string): void {
      origin = listening;
    },
  };
}

/** The app of a separate authentication service. The pages of the dashboard are those of a gateway under the same host. */
export function createServiceApp(
  routes: RequestHandler,
  trustProxy: Config['trustProxy'],
  log: Log,
): Express {
  const app = createExpress(trustProxy);
  app.use('/auth', noSniff, routes);
  app.use(sendNotFound); // 404
  app.use(handleError(log)); // 500
  return app;
}
