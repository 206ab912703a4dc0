import type { Clock } from '../clock.ts';
import type { Log } from './log.ts';

/** Lines in a second: enough for any fault, and no outage fills a disk. */
const mostLines = 100;

/** Microseconds. */
const second = 1_000_000;

/** A log for what every request may have to tell: beyond so many lines in a second it counts, and tells the number. */
export function sparingLog(log: Log, clock: Clock): Log {
  let since = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let leftOut = 0;

  return (message, error, details) => {
    if (clock.elapsed() - since >= second) {
      if (leftOut > 0) log(`${leftOut} more lines on requests were left out.`);
      since = clock.elapsed();
      lines = 0;
      leftOut = 0;
    }
    if (lines < mostLines) log(message, error, details);
    else leftOut += 1;
    lines += 1;
  };
}
