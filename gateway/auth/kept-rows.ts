import { LRUCache } from 'lru-cache';
import type { Changes } from './store/store.ts';

/** Rows kept of each kind: what they take is bounded, whatever tokens are sent. */
const mostKept = 10_000;

/**
 * Rows of the database for as long as nothing in it has changed. Other connections are asked about that once in a turn of
 * the event loop: whoever has changed something sends the request that is to show it in a later one.
 *
 * What is not there is kept apart, so that a flood of made-up tokens does not push out the keys in use.
 */
export class KeptRows<Row extends object> {
  readonly #changes: Changes;
  readonly #rows = new LRUCache<string, Row>({ max: mostKept });
  readonly #missing = new LRUCache<string, true>({ max: mostKept });
  #version = Number.NaN;
  #asked = false;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** @returns null: there is no such row; undefined: the database has to be asked */
  get(key: string): Row | null | undefined {
    if (!this.#isCurrent()) return undefined;
    return this.#rows.get(key) ?? (this.#missing.has(key) ? null : undefined);
  }

  /** Asks the database, and keeps the answer if nothing has changed meanwhile. */
  async read(key: string, ask: () => Promise<Row | undefined>): Promise<Row | undefined> {
    const version = this.#isCurrent() ? this.#version : undefined;
    const row = await ask();
    if (version !== this.#version) return row;
    if (row) this.#rows.set(key, row);
    else this.#missing.set(key, true);
    return row;
  }

  /** Forgets all when something has changed. Where that cannot be told, nothing kept counts. */
  #isCurrent(): boolean {
    const version = this.#ask();
    if (version === this.#version) return true;
    this.#rows.clear();
    this.#missing.clear();
    this.#version = version ?? Number.NaN;
    return version !== undefined;
  }

  #ask(): number | undefined {
    try {
      const version = this.#changes.version(!this.#asked);
      if (!this.#asked) {
        this.#asked = true;
        setImmediate(() => {
          this.#asked = false;
        });
      }
      return version;
    } catch {
      // Locked by another process that is writing: whoever asks the database now waits for it.
      return undefined;
    }
  }
}
