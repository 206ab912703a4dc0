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

/** A month that usage can be asked for, `YYYY-MM`. */
export const monthPattern = /^[12]\d{3}-(0[1-9]|1[0-2])$/;

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

/** Calls a function that never rejects, at intervals and one call after the other. */
export function repeatEvery(milliseconds: number, work: () => Promise<void>) {
  let working = Promise.resolve();
  const timer = setInterval(() => {
    working = working.then(work);
  }, milliseconds).unref();
  return {
    close(): Promise<void> {
      clearInterval(timer);
      return working;
    },
  };
}

/** Milliseconds between two writes of counts: a killed process loses that much at most. */
const writeInterval = 500;

/**
 * Writes in the background what requests have counted, in batches, one after the other. No request waits for the disk.
 *
 * @param write writes a batch; if it fails, what is still pending is written again after the interval
 * @param isPending whether to write again after the interval
 */
export function backgroundWriter(write: () => Promise<void>, isPending: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isClosed = false;

  /** Writes after the interval. */
  function schedule(): void {
    timer ??= setTimeout(async () => {
      timer = undefined;
      await flush().catch(() => {});
      if (isPending() && !isClosed) schedule();
      // `close` writes the rest, so that the timer need not keep the process running.
    }, writeInterval).unref();
  }

  /** Writes a batch, after the one under way. @throws what `write` throws */
  function flush(): Promise<void> {
    const written = writing.then(write);
    writing = written.catch(() => {});
    return written;
  }

  return {
    schedule,
    flush,
    /** Resolves when no write is under way. */
    settled: () => writing,
    /** Ends the writes after the interval, and waits for the one under way. The caller flushes the rest. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await writing;
    },
  };
}
