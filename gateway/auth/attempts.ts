/** Counts attempts in the database, so that all processes with the same database share the limits. */
import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Database } from './store/tables.ts';

export interface AttemptLimit {
  /** Limits with the same name share their counts. */
  readonly name: string;
  /** Length of a window in milliseconds. It begins with its first attempt. */
  readonly windowMs: number;
  /** Attempts in a window. */
  readonly limit: number;
}

export interface Attempts {
  /**
   * Counts an attempt, unless the limit is reached.
   *
   * @param who makes the attempts, or is affected by them: an IP address or an email address
   * @throws the database's own error
   */
  take(limit: AttemptLimit, who: string): Promise<Attempt>;
  /**
   * Removes an attempt from its count.
   *
   * @throws the database's own error
   */
  giveBack(limit: AttemptLimit, who: string): Promise<void>;
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

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
export function openAttempts(database: Database, readSecret: () => Promise<string>, clock: Clock): Attempts {
  let taken = 0;

  const idOf = async ({ name }: AttemptLimit, who: string) =>
    createHmac('sha256', await readSecret())
      .update(`${name}\n${who}`)
      .digest('base64url');

  return {
    now: clock.now,
    async take(limit, who) {
      const id = await idOf(limit, who);
      const now = clock.now();
      return database.transaction().execute(async (transaction) => {
        await deleteEnded(transaction, id, now, now + 2 * limit.windowMs);
        if (taken++ % trimInterval === 0) await deleteExcess(transaction);
        return count(transaction, id, limit.limit, now + limit.windowMs);
      });
    },
    async giveBack(limit, who) {
      await database
        .updateTable('attempts')
        .set((set) => ({ count: set('count', '-', 1) }))
        .where('id', '=', await idOf(limit, who))
        .where('count', '>', 0)
        .execute();
    },
  };
}

/** @param latestEnd a later end is due to a clock that was set back since, not to one that is a little ahead */
async function deleteEnded(database: Database, id: string, now: number, latestEnd: number): Promise<void> {
  await database.deleteFrom('attempts').where('endsAt', '<=', now).execute();
  await database.deleteFrom('attempts').where('id', '=', id).where('endsAt', '>', latestEnd).execute();
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
