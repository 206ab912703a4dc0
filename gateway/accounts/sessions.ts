/** Sessions of a user: better-auth creates and checks them. */
import type { Clock } from '../clock.ts';
import { MissingError } from './accounts.ts';
import names from './browsers.json' with { type: 'json' };
import type { Database, SessionRow } from './store/tables.ts';

/** Sessions of one user: more than anyone has browsers. */
const maxSessions = 10;

/** The session of a request. */
export type OwnSession = Pick<SessionRow, 'id' | 'userId'>;

/** Lists the sessions of a user that have not expired, newest first, without their tokens. Times are ISO 8601, UTC. */
export async function listSessions(database: Database, clock: Clock, own: OwnSession) {
  const rows = await database
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'updatedAt', 'expiresAt', 'userAgent'])
    .where('userId', '=', own.userId)
    .where('expiresAt', '>', new Date(clock.now()).toISOString())
    .orderBy('createdAt', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    /** `Firefox on Linux`; null: the session is from before browsers were stored. */
    browser: row.userAgent || null,
    createdAt: new Date(row.createdAt).toISOString(),
    /** To the hour. */
    lastUsedAt: new Date(row.updatedAt).toISOString(),
    expiresAt: new Date(row.expiresAt).toISOString(),
    /** Whether it is the session of the request. */
    current: row.id === own.id,
  }));
}

/** Ends a session of a user. @throws MissingError when the user has no such session */
export async function endSession(database: Database, userId: string, id: string): Promise<void> {
  const ended = await database
    .deleteFrom('sessions')
    .where((row) => row.and({ id, userId }))
    .returning('id')
    .executeTakeFirst();
  if (!ended) throw new MissingError('There is no such session.');
}

/** Ends the oldest sessions of a user beyond the limit. */
export async function endOldSessions(database: Database, userId: string): Promise<void> {
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

/**
 * Names the browser of a request: `Firefox on Linux`. `browsers.json` has the words of browsers and systems in
 * `User-Agent`; others contain the words further down as well. Nothing of the header field itself is stored or shown,
 * since it may contain anything.
 */
export function browserOf(userAgent = ''): string {
  const find = (kind: keyof typeof names) =>
    Object.entries(names[kind]).find(([word]) => userAgent.includes(word))?.[1];
  return [find('browsers') ?? 'Another browser', find('systems')].filter(Boolean).join(' on ');
}
