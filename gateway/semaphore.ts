/** More work waits than can be done soon. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
}

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

  /** Whether nobody has acquired it. */
  get isFree(): boolean {
    return this.#acquired === 0;
  }

  /** Whether too many wait, so that the next caller would be rejected. */
  get isFull(): boolean {
    return this.#waiting.size >= this.#maxWaiting;
  }

  /** Runs work when the limit allows it. @throws what `acquire` or `work` throws */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.acquire(signal);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /**
   * Resolves when the caller may run; `release` must follow.
   *
   * @throws BusyError when too many wait already, or when the signal aborts during the wait
   */
  async acquire(signal: AbortSignal): Promise<void> {
    if (this.#acquired < this.#limit) {
      this.#acquired += 1;
      return;
    }
    if (this.#waiting.size >= this.#maxWaiting)
      throw new BusyError('too many requests are waiting');
    await new Promise<void>((resolve, reject) => {
      this.#waiting.add(resolve);
      signal.addEventListener('abort', () => {
        if (this.#waiting.delete(resolve))
          reject(new BusyError('it waited too long', { cause: signal.reason }));
      });
    });
  }

  /** Lets the next caller run. */
  release(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#acquired -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
