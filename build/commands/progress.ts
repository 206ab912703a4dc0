import type { WriteStream } from 'node:tty';
import type { Progress } from '../threads/threads.ts';

/** Milliseconds between two lines: faster than that nobody reads. */
const pause = 100;

/** A line on a terminal that tells how far long work is, and leaves nothing behind. */
export interface ProgressLine {
  readonly show: Progress;
  readonly clear: () => void;
}

/** @param stream that people watch; what is no terminal is told nothing */
export function progressLine(stream: WriteStream): ProgressLine {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined };
  let last = Number.NEGATIVE_INFINITY;
  return {
    show(what, done, total) {
      const now = performance.now();
      if (now - last < pause && done < total) return;
      last = now;
      stream.write(`\r\u001b[2K${what} ${done} of ${total}`);
    },
    clear() {
      if (last > 0) stream.write('\r\u001b[2K');
    },
  };
}
