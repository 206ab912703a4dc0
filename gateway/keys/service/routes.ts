import { type RequestHandler, Router } from 'express';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { defaultPlan } from '../../limits/plans.ts';
import type { Log } from '../../operations/log.ts';
import type { OpenedKeys } from '../open.ts';
import { accountRoute, settingsRoute } from './account-routes.ts';
import { answerNotFound, answerServiceFault } from './answer.ts';
import { introspectionEndpoint } from './introspection.ts';
import { keyRoutes } from './key-routes.ts';
import { refuseOtherOrigins } from './own-origin.ts';
import { type PeopleOf, peopleRoutes } from './people-routes.ts';
import { requireSession } from './session.ts';

/** What the routes stand on. */
export interface RouteParts {
  readonly config: Config;
  readonly keys: OpenedKeys;
  readonly peopleOf: PeopleOf;
  readonly clock: Clock;
  readonly log: Log;
}

/** Everything under `/auth/`: introspection for gateways, and what the dashboard asks. */
export function authenticationRoutes({ config, keys, peopleOf, clock, log }: RouteParts): RequestHandler {
  const { introspectionSecret, people, plans, apiKeyPrefix } = config;
  const { database, verifyKey, usage } = keys;
  const signedIn = requireSession(peopleOf, database, clock, defaultPlan(plans));
  const router = Router({ caseSensitive: true });
  if (introspectionSecret !== undefined) {
    router.use('/introspect', introspectionEndpoint(introspectionSecret, verifyKey));
  }
  router.use(refuseOtherOrigins(people.publicUrl));
  router.use('/settings', settingsRoute(people));
  router.use('/account', accountRoute(signedIn, usage, plans, clock));
  router.use('/keys', keyRoutes(signedIn, database, apiKeyPrefix, clock));
  router.use(peopleRoutes(peopleOf, people, log));
  router.use(answerNotFound);
  router.use(answerServiceFault(log));
  return router;
}
