import type { Log } from '../log/log.ts';
import type { Database } from './store/tables.ts';

/** Milliseconds that a note may wait, so that no request waits for the disk. */
const flushInterval = 500;

/** Milliseconds within which a second use of a key is not written: a busy key costs a write a minute. */
const precision = 60_000;

/** Keys written in one go: SQLite holds up the process for as long as it takes. */
const keysAtOnce = 50;

/** Keys that may wait to be written. */
const mostWaiting = 50_000;

/** Keeps when keys were last used, for their owners to see. */
export class LastUse {
  readonly #database: Database;
  readonly #log: Log;
  readonly #unwritten = new Set<string>();
  #latest = 0;
  /** Whether the last write failed: a full disk is logged once, not twice a second. */
  #isFailing = false;
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
    // Beyond, it is left to the next use of the key.
    if (this.#unwritten.size >= mostWaiting) return;
    this.#unwritten.add(keyId);
    this.#latest = now;
    this.#wake();
  }

  /** Writes what is noted. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#flushing;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#unwritten.size > 0) await this.#write();
  }

  #wake(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flushing = this.#write().then(() => {
        if (this.#unwritten.size > 0) this.#wake();
      });
    }, flushInterval).unref();
  }

  /** What cannot be written is given up: the next use of the key brings it again. */
  async #write(): Promise<void> {
    const ids = [...this.#unwritten].slice(0, keysAtOnce);
    for (const id of ids) this.#unwritten.delete(id);
    try {
      await this.#database
        .updateTable('keys')
        .set({ lastUsedAt: this.#latest })
        // In one order everywhere, so that two processes seldom wait for each other's rows.
        .where('id', 'in', ids.sort())
        .execute();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log('The last use of keys could not be written.', error);
      this.#isFailing = true;
    }
  }
}
