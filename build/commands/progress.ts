import type { TerminalStream } from '../command-line/command.ts';
import { formatDuration, formatNumber } from '../report/wording.ts';

/** Minimum milliseconds between two updates of a terminal, and between two lines of a log. */
const interval = { terminal: 100, log: 5000 } as const;

/** Milliseconds before the time left is estimated. */
const estimateAfter = 1000;

/** Characters. */
const barWidth = 24;

/**
 * Shows the progress of long work. On a terminal, a line with a bar that is rewritten in place; elsewhere a plain line
 * every few seconds, and none for work that ends sooner.
 *
 * @param clock in milliseconds, from any origin
 */
export function progressLine(
  stream: Pick<TerminalStream, 'isTTY' | 'columns' | 'write'>,
  clock: () => number = () => performance.now(),
) {
  const wait = stream.isTTY ? interval.terminal : interval.log;
  let start = { what: '', at: clock(), done: 0 };
  let last = stream.isTTY ? Number.NEGATIVE_INFINITY : start.at;
  let line = '';
  const clearLine = () => line !== '' && stream.write('\r\u001b[2K');
  return {
    /** @param what is counted @param detail anything else, to follow the numbers */
    show(what: string, done: number, total: number, detail?: string): void {
      const now = clock();
      if (what !== start.what) start = { what, at: now, done };
      if (now - last < wait) return;
      last = now;
      const left = timeLeft(now - start.at, done - start.done, total - done);
      const numbers = [`${formatNumber(done)} of ${formatNumber(total)}`, detail, left].filter(
        Boolean,
      );
      if (!stream.isTTY) {
        stream.write(`${what} ${numbers.join(', ')}\n`);
        return;
      }
      line = `${what} ${bar(done / total)} ${numbers.join(', ')}`.slice(
        0,
        (stream.columns || 80) - 1,
      );
      stream.write(`\r\u001b[2K${line}`);
    },
    /** Writes a message above the progress line. */
    note(message: string): void {
      clearLine();
      stream.write(`${message}\n${line}`);
    },
    /** Removes the progress line from a terminal. */
    clear(): void {
      clearLine();
      line = '';
    },
  };
}

function bar(share: number): string {
  const full = Math.round(share * barWidth);
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
}

/** Estimates the time left from the time that the work took so far. */
function timeLeft(elapsed: number, done: number, left: number): string | undefined {
  if (elapsed < estimateAfter || done === 0) return undefined;
  return `${formatDuration((elapsed / done) * left)} left`;
}
