import type { Timing } from './rate-limit.ts';

/** How far a pull is. */
export interface Standing {
  /** Files that have been asked for, and all that are known to be. */
  readonly done: number;
  readonly total: number;
  /** Downloaded. */
  readonly bytes: number;
  /** Milliseconds, if it goes on as before; undefined as long as that tells nothing. */
  readonly left: number | undefined;
}

/** Whoever watches a pull. */
export interface Watcher {
  standing(standing: Standing): void;
  /** A sentence about something that was not as it should be. */
  note(sentence: string): void;
}

/** Milliseconds. The first requests are not in step yet: they tell nothing about those to come. */
const tooSoon = 2000;

/** Counts what is asked for and what came, and tells a watcher. */
export class Tally {
  readonly #watcher: Watcher;
  readonly #timing: Timing;
  #start: number | undefined;
  #total = 0;
  #done = 0;
  papers = 0;
  diagrams = 0;
  bytes = 0;

  constructor(watcher: Watcher, timing: Timing) {
    this.#watcher = watcher;
    this.#timing = timing;
  }

  /** So many files more are to be asked for; fewer, when negative. */
  expect(files: number): void {
    this.#start ??= this.#timing.elapsed();
    this.#total += files;
  }

  /** A file has been asked for. */
  done(downloaded?: { readonly kind: 'papers' | 'diagrams'; readonly bytes: number }): void {
    this.#done += 1;
    if (downloaded) {
      this[downloaded.kind] += 1;
      this.bytes += downloaded.bytes;
    }
    const spent = this.#timing.elapsed() - (this.#start ?? 0);
    this.#watcher.standing({
      done: this.#done,
      total: this.#total,
      bytes: this.bytes,
      left: spent < tooSoon ? undefined : (spent / this.#done) * (this.#total - this.#done),
    });
  }
}
