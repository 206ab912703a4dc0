import { type RequestHandler, Router } from 'express';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import type { UsageReader } from '../../limits/ledger.ts';
import { defaultPlan } from '../../limits/plans.ts';
import type { Log } from '../../log/log.ts';
import type { OpenedKeys } from '../open.ts';
import { accountRoute, settingsRoute } from './account/account-routes.ts';
import { keyRoutes } from './account/key-routes.ts';
import { answerNotFound, answerServiceFault } from './answer.ts';
import { introspectionEndpoint } from './introspection.ts';
import { refuseOtherOrigins } from './own-origin.ts';
import type { PeopleOf } from './people/people-of.ts';
import { requireSession } from './people/session.ts';
import { signInRoutes } from './people/sign-in-routes.ts';

/** What the routes stand on. */
export interface RouteParts {
  readonly config: Config;
  readonly keys: OpenedKeys;
  readonly usage: UsageReader;
  readonly peopleOf: PeopleOf;
  readonly clock: Clock;
  readonly log: Log;
}

/** Everything under `/auth/`: introspection for gateways, and what the dashboard asks. */
export function authenticationRoutes({
  config,
  keys,
  usage,
  peopleOf,
  clock,
  log,
}: RouteParts): RequestHandler {
  const { introspectionSecret, people, plans, apiKeyPrefix } = config;
  const { database, verifyKey } = keys;
  const signedIn = requireSession(peopleOf, database, clock, defaultPlan(plans));
  const router = Router({ caseSensitive: true });
  if (introspectionSecret !== undefined) {
    router.use('/introspect', introspectionEndpoint(introspectionSecret, verifyKey));
  }
  router.use(refuseOtherOrigins(people.publicUrl));
  router.use('/settings', settingsRoute(people));
  router.use('/account', accountRoute(signedIn, usage, plans, clock));
  router.use('/keys', keyRoutes(signedIn, database, apiKeyPrefix, clock));
  router.use(signInRoutes(peopleOf, people, log));
  router.use(answerNotFound);
  router.use(answerServiceFault(log));
  return router;
}
