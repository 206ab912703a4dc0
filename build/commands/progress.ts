import type { WriteStream } from 'node:tty';
import type { Progress } from '../threads/threads.ts';

/** Milliseconds between two looks of a person at a terminal, and between two lines of a log. */
const pause = { terminal: 100, log: 5000 } as const;

/** Signs of a bar that is full. */
const barWidth = 24;

/** Tells how far long work is. */
export interface ProgressLine {
  readonly show: Progress;
  /** Ends what was shown: nothing of it stays on a terminal. */
  readonly clear: () => void;
}

/**
 * On a terminal a line with a bar, which is written over again and again; elsewhere a plain line now and then, and none
 * about work that is done within seconds.
 *
 * @param clock in milliseconds, from any moment on
 */
export function progressLine(
  stream: Pick<WriteStream, 'isTTY' | 'write'>,
  clock: () => number = () => performance.now(),
): ProgressLine {
  const wait = stream.isTTY ? pause.terminal : pause.log;
  let begun = { what: '', at: clock(), done: 0 };
  let last = stream.isTTY ? Number.NEGATIVE_INFINITY : begun.at;
  let isShown = false;
  return {
    show(what, done, total) {
      const now = clock();
      if (what !== begun.what) begun = { what, at: now, done };
      if (now - last < wait) return;
      last = now;
      const left = timeLeft(now - begun.at, done - begun.done, total - done);
      if (!stream.isTTY) {
        stream.write(`${what} ${done} of ${total}${left}\n`);
        return;
      }
      isShown = true;
      stream.write(`\r\u001b[2K${what} ${bar(done / total)} ${done} of ${total}${left}`);
    },
    clear() {
      if (isShown) stream.write('\r\u001b[2K');
      isShown = false;
    },
  };
}

function bar(share: number): string {
  const full = Math.round(share * barWidth);
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
}

/** Told once there is something to judge it by. */
function timeLeft(elapsed: number, done: number, left: number): string {
  if (elapsed < 1000 || done === 0) return '';
  return `, ${Math.ceil(((elapsed / done) * left) / 1000)} s left`;
}
