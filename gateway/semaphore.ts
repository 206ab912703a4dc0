/** Limits how much work runs at once. Callers beyond the limit wait, first come first served. */
export class Semaphore {
  readonly #limit: number;
  readonly #maxWaiting: number;
  /** In the order of their calls. */
  readonly #waiting = new Set<() => void>();
  #acquired = 0;

  constructor(limit: number, maxWaiting: number) {
    this.#limit = limit;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Runs work when the limit allows it.
   *
   * @throws Error when too many wait already, or when the signal aborts during the wait; what `work` throws
   */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (this.#acquired < this.#limit) this.#acquired += 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next) next();
      else this.#acquired -= 1;
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#maxWaiting) throw new Error('too many requests are waiting');
    await new Promise<void>((resolve, reject) => {
      const next = () => {
        this.#waiting.delete(next);
        resolve();
      };
      this.#waiting.add(next);
      signal.addEventListener('abort', () => {
        if (this.#waiting.delete(next))
          reject(new Error('it waited too long', { cause: signal.reason }));
      });
    });
  }
}
