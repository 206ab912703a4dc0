/** Lets so many callers go on at once, and so many more wait for their turn, first come first served. */
export class Turns {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  /** In the order in which they came. */
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Resolves when it is the caller's turn, which lasts until `end` is called.
   *
   * @throws Error when too many wait already; the signal's reason when it aborts before the turn comes
   */
  async take(signal: AbortSignal): Promise<void> {
    if (this.#taken < this.#atOnce) {
      this.#taken += 1;
      return;
    }
    if (this.#waiting.size >= this.#mostWaiting) throw new Error('too many wait for it already');
    await new Promise<void>((resolve, reject) => {
      this.#waiting.add(resolve);
      signal.addEventListener('abort', () => {
        if (this.#waiting.delete(resolve)) reject(signal.reason);
      });
    });
  }

  /** Ends a turn that was taken. The next caller has it then. */
  end(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
