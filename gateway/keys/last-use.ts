import type { Log } from '../operations/log.ts';
import type { Database } from './store/database.ts';

/** Milliseconds that a note may wait, so that no request waits for the disk. */
const flushInterval = 500;

/** Milliseconds within which a second use of a key is not written: a busy key costs a write a minute. */
const precision = 60_000;

/** Keys in one statement; PostgreSQL and SQLite both take far more. */
const keysInStatement = 500;

/** Keeps when keys were last used, for their owners to see. */
export class LastUse {
  readonly #database: Database;
  readonly #log: Log;
  #unwritten = new Set<string>();
  #latest = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(database: Database, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  /**
   * Takes note of a use.
   *
   * @param written when the key was last used, as the database has it
   * @param now milliseconds since 1970, UTC
   */
  note(keyId: string, written: number | null, now: number): void {
    if (written !== null && Math.abs(now - written) < precision) return;
    this.#unwritten.add(keyId);
    this.#latest = now;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flushing = this.#flushing.then(() => this.#flush());
    }, flushInterval).unref();
  }

  /** Writes what is noted. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#flushing;
    await this.#flush();
  }

  /** What cannot be written is given up: the next use of the key brings it again. */
  async #flush(): Promise<void> {
    const ids = [...this.#unwritten].sort();
    const lastUsedAt = this.#latest;
    this.#unwritten = new Set();
    try {
      for (let start = 0; start < ids.length; start += keysInStatement) {
        await this.#database
          .updateTable('keys')
          .set({ lastUsedAt })
          .where('id', 'in', ids.slice(start, start + keysInStatement))
          .execute();
      }
    } catch (error) {
      this.#log('The last use of keys could not be written.', error);
    }
  }
}
