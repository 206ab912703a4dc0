/** The time, as a parameter, so that tests can set it. */
export interface Clock {
  /** Wall clock: milliseconds since 1970 in UTC. It may be set back. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

/** The day and month of a moment, in UTC. */
interface Calendar {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** `YYYY-MM` */
  readonly month: string;
  /** When the month ends: milliseconds since 1970. */
  readonly monthEnd: number;
  /** Length of the month in seconds. */
  readonly monthSpan: number;
}

const dayLength = 86_400_000;

let cached: Calendar | undefined;
let cachedFrom = Number.POSITIVE_INFINITY;

/**
 * The calendar of a moment. Cached for the day, because nearly every request needs today's.
 *
 * @param now milliseconds since 1970, UTC
 */
export function calendarOf(now: number): Calendar {
  if (cached && now >= cachedFrom && now < cachedFrom + dayLength) return cached;
  const date = new Date(now);
  const iso = date.toISOString();
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const monthEnd = Date.UTC(year, month + 1);
  cached = {
    day: iso.slice(0, 'YYYY-MM-DD'.length),
    month: iso.slice(0, 'YYYY-MM'.length),
    monthEnd,
    monthSpan: (monthEnd - Date.UTC(year, month)) / 1000,
  };
  cachedFrom = Date.UTC(year, month, date.getUTCDate());
  return cached;
}

/** Milliseconds between two writes of counts: a killed process loses that much at most. */
const writeInterval = 500;

/** Writes in the background what requests have counted, in batches, one after the other. No request waits for the disk. */
export class BackgroundWriter {
  readonly #write: () => Promise<void>;
  readonly #isPending: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  /**
   * @param write writes a batch; if it fails, what is still pending is written again after the interval
   * @param isPending whether to write again after the interval
   */
  constructor(write: () => Promise<void>, isPending: () => boolean) {
    this.#write = write;
    this.#isPending = isPending;
  }

  /** Resolves when no write is under way. */
  get settled(): Promise<void> {
    return this.#writing;
  }

  /** Writes after the interval. */
  schedule(): void {
    this.#timer ??= setTimeout(async () => {
      this.#timer = undefined;
      await this.flush().catch(() => {});
      if (this.#isPending() && !this.#isClosed) this.schedule();
      // `close` writes the rest, so that the timer need not keep the process running.
    }, writeInterval).unref();
  }

  /** Writes a batch, after the one under way. @throws what `write` throws */
  flush(): Promise<void> {
    const written = this.#writing.then(this.#write);
    this.#writing = written.catch(() => {});
    return written;
  }

  /** Ends the writes after the interval, and waits for the one under way. The caller flushes the rest. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#writing;
  }
}
