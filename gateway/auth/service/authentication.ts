import type { RequestHandler } from 'express';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import type { UsageReader } from '../../limits/ledger.ts';
import type { Log } from '../../log/log.ts';
import type { OpenedKeys } from '../open.ts';
import { peopleOf } from './people/people-of.ts';
import { authenticationRoutes } from './routes.ts';

/** The authentication service, whichever process it is in. */
export interface Authentication {
  /** Everything under `/auth/`. */
  readonly routes: RequestHandler;
  /** Says where the process came to listen: the origin of links where the settings name none. */
  listensAt(origin: string): void;
}

/** @param usage what people see of theirs */
export function openAuthentication(
  config: Config,
  keys: OpenedKeys,
  usage: UsageReader,
  clock: Clock,
  log: Log,
): Authentication {
  let origin = '';
  const people = peopleOf({ config, database: keys.database, listensAt: () => origin, clock, log });
  return {
    routes: authenticationRoutes({ config, keys, usage, peopleOf: people, clock, log }),
    listensAt: (listening) => {
      origin = listening;
    },
  };
}
