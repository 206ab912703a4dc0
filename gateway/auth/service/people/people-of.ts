import type { Request } from 'express';
import type { Clock } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import { defaultPlan } from '../../../limits/plans.ts';
import type { Log } from '../../../log/log.ts';
import type { Database } from '../../store/tables.ts';
import type { People } from './people.ts';
import { keptSessionSecret } from './session-secret.ts';

/** The people of a request: those whose cookies are for the scheme that it came by. */
export type PeopleOf = (request: Request) => Promise<People>;

/** What people's accounts are opened with. */
export interface PeopleOfParts {
  readonly config: Config;
  readonly database: Database;
  /** Scheme and host where the process listens: the origin of links where the settings name none. */
  readonly listensAt: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Opens people's accounts when a request first asks for them: a gateway that only serves papers never loads
 * the libraries for it. There are two, for a cookie that bears `Secure` has another name.
 */
export function peopleOf(parts: PeopleOfParts): PeopleOf {
  const { publicUrl } = parts.config.people;
  let opened: Promise<Openings> | undefined;
  return async (request) => {
    opened ??= open(parts).catch((error: unknown) => {
      // What failed is tried again by the next request.
      opened = undefined;
      throw error;
    });
    const { secure, plain } = await opened;
    const isSecure = publicUrl === undefined ? request.secure : publicUrl.startsWith('https:');
    return isSecure ? secure : plain;
  };
}

interface Openings {
  readonly secure: People;
  readonly plain: People;
}

async function open({ config, database, listensAt, clock, log }: PeopleOfParts): Promise<Openings> {
  const { people, plans, dataDir } = config;
  const { openPeople } = await import('./people.ts');
  const sessionSecret = people.sessionSecret ?? (await keptSessionSecret(dataDir));
  const post = people.mail && (await import('./mail.ts')).mailPost(people.mail, log);
  const parts = {
    database,
    kind: config.database.kind,
    providers: people.providers,
    origin: people.publicUrl ?? listensAt(),
    sessionSecret,
    plan: defaultPlan(plans),
    post,
    clock,
    log,
  };
  return {
    secure: openPeople({ ...parts, secureCookies: true }),
    plain: openPeople({ ...parts, secureCookies: false }),
  };
}
