/** Limits of attempts: guesses of passwords, sign-ups, mails. All processes with the same database share the counts. */
import { createHmac } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { networkOf } from '../access/network.ts';
import type { Clock } from '../clock.ts';
import { reject } from './responses.ts';
import type { Database } from './store/tables.ts';

export interface AttemptLimit {
  /** Limits with the same name share their counts. */
  readonly name: string;
  /** Length of a window in milliseconds. It begins with its first attempt. */
  readonly windowMs: number;
  /** Attempts in a window. */
  readonly limit: number;
  /** Whether only failed attempts count. Failures of the service do not. */
  readonly failedOnly?: boolean;
}

const minute = 60_000;
const hour = 60 * minute;

/** Limits of one network. */
export const networkLimits = {
  signIn: { name: 'sign-in', windowMs: minute, limit: 10, failedOnly: true },
  /** Successful ones count, too: each hashes a password. Enough for a class behind one address. */
  passwords: { name: 'sign-ins', windowMs: minute, limit: 60 },
  signUp: { name: 'sign-up', windowMs: 10 * minute, limit: 10 },
  /** With a password or through a provider. */
  newUsers: { name: 'sign-ups', windowMs: 24 * hour, limit: 30 },
  provider: { name: 'social', windowMs: 10 * minute, limit: 10 },
  resetRequest: { name: 'request-password-reset', windowMs: 10 * minute, limit: 10 },
  reset: { name: 'reset-password', windowMs: minute, limit: 10, failedOnly: true },
  /** More than anyone creates by hand. */
  keys: { name: 'keys', windowMs: minute, limit: 30 },
} as const satisfies Readonly<Record<string, AttemptLimit>>;

/** Visits from one network to a path that is the target of links and redirects. */
export const visitLimit = (path: string): AttemptLimit => ({ name: path, windowMs: minute, limit: 60 });

/** Limits of one email address, whichever network the attempts come from. */
export const emailLimits = {
  /** Wrong passwords: to sign in, to change the password, and to delete the account. */
  guesses: { name: 'sign-in to', windowMs: 15 * minute, limit: 20, failedOnly: true },
  mailRequests: { name: 'mail requests', windowMs: hour, limit: 5 },
  /** Whatever causes the mails, nobody's mailbox is filled. */
  mails: { name: 'mails', windowMs: hour, limit: 5 },
} as const satisfies Readonly<Record<string, AttemptLimit>>;

export type Attempts = ReturnType<typeof openAttempts>;

export interface Attempt {
  readonly isAllowed: boolean;
  /** When the window ends: milliseconds since 1970, UTC. */
  readonly endsAt: number;
}

/** Counts in the database. Beyond that, those that end first are deleted: the longest windows protect most. */
const maxCounts = 100_000;

/** Attempts between two deletions of excess counts. */
const trimInterval = 1000;

/**
 * @param database for writes that the event loop does not wait for
 * @param readSecret returns a secret of the service: the database contains no address, and none can be guessed from it
 */
export function openAttempts(database: Database, readSecret: () => Promise<string>, clock: Clock) {
  let taken = 0;

  async function idOf({ name }: AttemptLimit, who: string): Promise<string> {
    const hmac = createHmac('sha256', await readSecret());
    return hmac.update(`${name}\n${who}`).digest('base64url');
  }

  /**
   * Counts an attempt, unless the limit is reached.
   *
   * @param who makes the attempts, or is affected by them: a network or an email address
   * @throws the database's own error
   */
  async function take(limit: AttemptLimit, who: string): Promise<Attempt> {
    const id = await idOf(limit, who);
    const now = clock.now();
    const isTrimmed = taken % trimInterval === 0;
    taken += 1;
    return database.transaction().execute(async (transaction) => {
      await deleteEnded(transaction, id, now, now + 2 * limit.windowMs);
      if (isTrimmed) await deleteExcess(transaction);
      return count(transaction, id, limit.limit, now + limit.windowMs);
    });
  }

  /** Removes an attempt from its count. */
  async function giveBack(limit: AttemptLimit, who: string): Promise<void> {
    await database
      .updateTable('attempts')
      .set((set) => ({ count: set('count', '-', 1) }))
      .where('id', '=', await idOf(limit, who))
      .where('count', '>', 0)
      .execute();
  }

  function limitRequests(limit: AttemptLimit, whoOf: (request: Request, response: Response) => string): RequestHandler {
    return async (request, response, next) => {
      const who = whoOf(request, response);
      const { isAllowed, endsAt } = await take(limit, who);
      if (!isAllowed) {
        const seconds = Math.max(1, Math.ceil((endsAt - clock.now()) / 1000));
        const error = `Too many attempts. Try again in ${seconds} seconds.`;
        return reject(response, 429, error, { 'Retry-After': String(seconds) });
      }
      response.once('finish', () => {
        const hasFailed = response.statusCode >= 400 && response.statusCode < 500;
        // If that fails, the attempt counts until its window ends.
        if (limit.failedOnly && !hasFailed) giveBack(limit, who).catch(() => {});
      });
      return next();
    };
  }

  return {
    take,
    /** Rejects requests with 429 beyond the limit of their network. */
    byNetwork: (limit: AttemptLimit) => limitRequests(limit, ({ ip = '' }) => networkOf(ip)),
    /** Rejects requests with 429 beyond the limit of an email address: the session's, or the one in the parsed body. */
    byEmail: (limit: AttemptLimit) =>
      limitRequests(limit, ({ body }, { locals }) => {
        const email: unknown = locals['signedIn']?.email ?? body?.email;
        return typeof email === 'string' ? email.toLowerCase() : '';
      }),
  };
}

/** @param latestEnd a later end is due to a clock that was set back since, not to one that is a little ahead */
async function deleteEnded(database: Database, id: string, now: number, latestEnd: number): Promise<void> {
  await database
    .deleteFrom('attempts')
    .where((row) => row.or([row('endsAt', '<=', now), row.and([row('id', '=', id), row('endsAt', '>', latestEnd)])]))
    .execute();
}

async function deleteExcess(database: Database): Promise<void> {
  const excess = await database
    .selectFrom('attempts')
    .select('endsAt')
    .orderBy('endsAt', 'desc')
    .offset(maxCounts)
    .limit(1)
    .executeTakeFirst();
  if (excess) await database.deleteFrom('attempts').where('endsAt', '<=', excess.endsAt).execute();
}

/** Writes nothing beyond the limit, so that a flood of attempts does not keep the disk busy. */
async function count(database: Database, id: string, limit: number, endsAt: number): Promise<Attempt> {
  const counted = await database
    .insertInto('attempts')
    .values({ id, count: 1, endsAt })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((set) => ({ count: set('attempts.count', '+', 1) }))
        .where('attempts.count', '<', limit),
    )
    .returning('endsAt')
    .executeTakeFirst();
  if (counted) return { isAllowed: true, endsAt: counted.endsAt };
  const full = await database.selectFrom('attempts').select('endsAt').where('id', '=', id).executeTakeFirst();
  return { isAllowed: false, endsAt: full?.endsAt ?? endsAt };
}
