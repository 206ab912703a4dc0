/**
 * Limits of attempts: guesses of passwords, sign-ups, mails. Decided in memory, so that a flood of rejected attempts does
 * not reach the database. Processes with the same database learn of each other's counts when they write their own.
 */
import { createHmac } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../access/network.ts';
import { backgroundWriter, type Clock } from '../clock.ts';
import { type Log, outageLog } from '../log/logger.ts';
import { BusyError } from '../semaphore.ts';
import { deviceOf } from './devices.ts';
import { reject } from './responses.ts';
import type { Database, Tables } from './store/tables.ts';

export interface AttemptLimit {
  /** Limits with the same name share their counts. */
  readonly name: string;
  /** Length of a window in milliseconds. It begins with its first attempt. */
  readonly windowMs: number;
  /** Attempts in a window. */
  readonly limit: number;
  /** Whether only wrong passwords and tokens count. */
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
export const visitLimit = (path: string): AttemptLimit => ({
  name: path,
  windowMs: minute,
  limit: 60,
});

/** Limits of wrong passwords for one email address: to sign in, to change the password, and to delete the account. */
export const guessLimits = {
  /** From one network. */
  network: { name: 'sign-in from', windowMs: 15 * minute, limit: 20, failedOnly: true },
  /** From all networks. */
  account: { name: 'sign-in to', windowMs: 15 * minute, limit: 100, failedOnly: true },
  /** From a browser that has signed in to the account before. The other two limits do not apply to it. */
  browser: { name: 'sign-in by', windowMs: 15 * minute, limit: 20, failedOnly: true },
} as const satisfies Readonly<Record<string, AttemptLimit>>;

/** Limits of one email address, whichever network the attempts come from. */
export const emailLimits = {
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

/** Counts in memory, and in the database. Beyond that, those in the database that end first are deleted. */
const maxCounts = 100_000;

/** Counts that wait to be read, and to be written. Attempts that need more are rejected with 503. */
const maxReads = 1000;
const maxUnwritten = 10_000;

/** Counts in one statement. */
const maxBatch = 1000;

/** Milliseconds between two deletions of counts. */
const cleanupInterval = 60_000;

/** The attempts of someone in a window, as far as this process knows. */
interface Count {
  readonly limit: AttemptLimit;
  count: number;
  /** What the database does not have yet. */
  unwritten: number;
  endsAt: number;
}

type CountRow = Tables['attempts'];

/**
 * @param database for writes that the event loop does not wait for
 * @param readSecret returns a secret of the service: the database contains no address, and none can be guessed from it
 */
export function openAttempts(
  database: Database,
  readSecret: () => Promise<string>,
  clock: Clock,
  log: Log,
) {
  const counts = new LRUCache<string, Count>({ max: maxCounts });
  const unwritten = new Map<string, Count>();
  const writer = backgroundWriter(writeBatch, () => unwritten.size > 0);
  const outage = outageLog(log);
  const readRow = rowReader(database);
  let cleanedAt = Number.NEGATIVE_INFINITY;

  async function idOf({ name }: AttemptLimit, who: string): Promise<string> {
    const hmac = createHmac('sha256', await readSecret());
    return hmac.update(`${name}\n${who}`).digest('base64url');
  }

  /** Returns the count of the current window. */
  async function find(id: string, limit: AttemptLimit): Promise<Count> {
    const row = counts.has(id) ? undefined : await readRow(id);
    // A concurrent attempt may have set it.
    const known = counts.get(id) ?? (row && { ...row, limit, unwritten: 0 });
    const now = clock.now();
    const isCurrent = known && known.endsAt > now && known.endsAt <= latestEnd(now, limit);
    const count = isCurrent
      ? known
      : { limit, count: 0, unwritten: 0, endsAt: now + limit.windowMs };
    counts.set(id, count);
    return count;
  }

  /**
   * Counts an attempt, unless the limit is reached.
   *
   * @param who makes the attempts, or is affected by them: a network or an email address
   * @param number of attempts to count; 0: it is not known yet whether this one counts
   * @throws BusyError when too many counts wait to be read or written
   * @throws the database's own error, if the count is not in memory
   */
  async function take(limit: AttemptLimit, who: string, number: 0 | 1 = 1): Promise<Attempt> {
    const id = await idOf(limit, who);
    const count = await find(id, limit);
    const isAllowed = count.count < limit.limit;
    if (isAllowed && unwritten.size >= maxUnwritten)
      throw new BusyError('too many attempts wait to be written');
    if (isAllowed && number > 0) {
      count.count += number;
      count.unwritten += number;
      unwritten.set(id, count);
      writer.schedule();
    }
    return { isAllowed, endsAt: count.endsAt };
  }

  /** Adds what is unwritten to the database, and what others have added to the counts in memory. */
  async function writeBatch(): Promise<void> {
    const now = clock.now();
    for (const [id, { endsAt }] of unwritten) if (endsAt <= now) unwritten.delete(id);
    const batch = [...unwritten]
      .slice(0, maxBatch)
      .map(([id, count]) => ({ id, count, added: count.unwritten }));
    try {
      if (clock.elapsed() - cleanedAt >= cleanupInterval) {
        await deleteOld(database, now);
        cleanedAt = clock.elapsed();
      }
      const rows =
        batch.length === 0 ? new Map<string, CountRow>() : await addCounts(database, batch, now);
      for (const { id, count, added } of batch) {
        const row = rows.get(id) ?? count;
        count.unwritten -= added;
        count.count = row.count + count.unwritten;
        count.endsAt = row.endsAt;
        if (count.unwritten === 0 && unwritten.get(id) === count) unwritten.delete(id);
      }
      outage.end('Counts of attempts can be written again.');
    } catch (error) {
      outage.begin(
        'Counts of attempts could not be written. The service retries until it can.',
        error,
      );
      throw error;
    }
  }

  function limitRequests(
    limit: AttemptLimit,
    whoOf: (request: Request, response: Response) => string,
  ): RequestHandler {
    return async (request, response, next) => {
      const who = whoOf(request, response);
      const attempt = await take(limit, who, limit.failedOnly ? 0 : 1);
      if (!attempt.isAllowed) return rejectAttempt(response, attempt);
      if (limit.failedOnly) guessesOf(response).push({ limit, who });
      return next();
    };
  }

  function rejectAttempt(response: Response, { endsAt }: Attempt): void {
    const seconds = Math.max(1, Math.ceil((endsAt - clock.now()) / 1000));
    const wait = seconds > 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
    const error = `Too many attempts. Try again in ${wait}.`;
    reject(response, 429, error, { 'Retry-After': String(seconds) });
  }

  /**
   * Checks a password or token of a request, and counts a wrong one towards the limits of failures that the request has
   * passed. It is called for one request at a time, so that the others that wait are neither failures nor uncounted.
   *
   * @returns the result of `check`; undefined if a limit was reached meanwhile, after a response with 429
   */
  async function guess<Result>(
    response: Response,
    check: () => Promise<Result>,
    isWrong: (result: Result) => boolean,
  ): Promise<Result | undefined> {
    for (const { limit, who } of guessesOf(response)) {
      const attempt = await take(limit, who, 0);
      if (!attempt.isAllowed) {
        rejectAttempt(response, attempt);
        return undefined;
      }
    }
    const result = await check();
    if (isWrong(result)) for (const { limit, who } of guessesOf(response)) await take(limit, who);
    return result;
  }

  const byGuessesOfNetwork = limitRequests(guessLimits.network, (request, response) => {
    return `${networkOf(request.ip ?? '')} ${emailOf(request, response)}`;
  });
  const byGuessesOfAll = limitRequests(guessLimits.account, emailOf);
  const byGuessesOfBrowser = limitRequests(
    guessLimits.browser,
    (_request, { locals }) => locals['browser'],
  );

  const byGuesses: RequestHandler = async (request, response, next) => {
    const { cookie = '' } = request.headers;
    const { locals } = response;
    const find = async () =>
      deviceOf(cookie, await readSecret(), emailOf(request, response), clock.now());
    locals['browser'] = locals['signedIn']?.session.id ?? (await find());
    if (locals['browser'] !== undefined) return byGuessesOfBrowser(request, response, next);
    return byGuessesOfNetwork(request, response, () => byGuessesOfAll(request, response, next));
  };

  /** Writes all counts. @throws the database's own error */
  async function flush(): Promise<void> {
    do await writer.flush();
    while (unwritten.size > 0);
  }

  return {
    take,
    guess,
    flush,
    /** Writes all counts, if the database is available. */
    close: () =>
      writer
        .close()
        .then(flush)
        .catch(() => {}),
    /** Rejects requests with 429 beyond the limit of their network. */
    byNetwork: (limit: AttemptLimit) => limitRequests(limit, ({ ip = '' }) => networkOf(ip)),
    /** Rejects requests with 429 beyond the limit of their email address. */
    byEmail: (limit: AttemptLimit) => limitRequests(limit, emailOf),
    /** Rejects requests with 429 beyond the limits of wrong passwords. */
    byGuesses,
  };
}

/** The limits of failures that a request has passed. */
function guessesOf({ locals }: Response): { limit: AttemptLimit; who: string }[] {
  locals['guesses'] ??= [];
  return locals['guesses'];
}

/** The email address of a session, or the one in a parsed body. */
export function emailOf({ body }: Request, { locals }: Response): string {
  const email: unknown = locals['signedIn']?.email ?? body?.email;
  return typeof email === 'string' ? email.toLowerCase() : '';
}

/**
 * The latest end of a window that counts. A stored window ends later only if the clock was set back since: it would last too
 * long. Twice the length, because the clock of the process that stored it may be a little ahead.
 */
function latestEnd(now: number, { windowMs }: AttemptLimit): number {
  return now + 2 * windowMs;
}

/** Returns a function that reads a count: one query at a time, for all that wait. */
function rowReader(database: Database): (id: string) => Promise<CountRow | undefined> {
  let reading: Promise<unknown> = Promise.resolve();
  let next:
    | { readonly ids: Set<string>; readonly rows: Promise<Map<string, CountRow>> }
    | undefined;

  function collect() {
    const ids = new Set<string>();
    const rows = reading.then(async () => {
      next = undefined;
      const found = await database
        .selectFrom('attempts')
        .selectAll()
        .where('id', 'in', [...ids])
        .execute();
      return new Map(found.map((row) => [row.id, row]));
    });
    reading = rows.catch(() => {});
    return { ids, rows };
  }

  return async (id) => {
    next ??= collect();
    if (next.ids.size >= maxReads) throw new BusyError('too many attempts wait for their counts');
    next.ids.add(id);
    return (await next.rows).get(id);
  };
}

/** Deletes the counts whose windows have ended, and those beyond the limit. */
async function deleteOld(database: Database, now: number): Promise<void> {
  await database.deleteFrom('attempts').where('endsAt', '<=', now).execute();
  const excess = await database
    .selectFrom('attempts')
    .select('endsAt')
    .orderBy('endsAt', 'desc')
    .offset(maxCounts)
    .limit(1)
    .executeTakeFirst();
  if (excess) await database.deleteFrom('attempts').where('endsAt', '<=', excess.endsAt).execute();
}

/**
 * Adds attempts to their counts, in one statement for each length of window. A count whose window has ended begins again.
 *
 * @returns the counts afterwards, which include what other processes have added
 */
function addCounts(
  database: Database,
  batch: readonly { readonly id: string; readonly count: Count; readonly added: number }[],
  now: number,
): Promise<Map<string, CountRow>> {
  // Sorted in every process, so that two never wait for each other's rows.
  const sorted = batch.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const windows = new Map(sorted.map(({ count: { limit } }) => [limit.windowMs, limit]));
  return database.transaction().execute(async (transaction) => {
    const rows = new Map<string, CountRow>();
    for (const limit of [...windows.values()].sort((one, other) => one.windowMs - other.windowMs)) {
      const values = sorted.filter(({ count }) => count.limit.windowMs === limit.windowMs);
      const written = await transaction
        .insertInto('attempts')
        .values(values.map(({ id, count: { endsAt }, added }) => ({ id, count: added, endsAt })))
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((set) => {
            const end = set.ref('attempts.endsAt');
            const isCurrent = set.and([set(end, '>', now), set(end, '<=', latestEnd(now, limit))]);
            const sum = set('attempts.count', '+', set.ref('excluded.count'));
            return {
              count: set.case().when(isCurrent).then(sum).else(set.ref('excluded.count')).end(),
              endsAt: set.case().when(isCurrent).then(end).else(set.ref('excluded.endsAt')).end(),
            };
          }),
        )
        .returningAll()
        .execute();
      for (const row of written) rows.set(row.id, row);
    }
    return rows;
  });
}
