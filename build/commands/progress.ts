import type { TerminalStream } from '../command-line/command.ts';
import { formatNumber } from '../report/wording.ts';

/** Minimum milliseconds between two updates of a terminal, and between two lines of a log. */
const interval = { terminal: 100, log: 5000 } as const;

/**
 * Shows the progress of long work. On a terminal, a line that is rewritten in place; elsewhere a plain line
 * every few seconds, and none for work that ends sooner.
 *
 * @param clock in milliseconds, from any origin
 */
export function progressLine(
  stream: Pick<TerminalStream, 'isTTY' | 'columns' | 'write'>,
  clock: () => number = () => performance.now(),
) {
  const wait = stream.isTTY ? interval.terminal : interval.log;
  let last = stream.isTTY ? Number.NEGATIVE_INFINITY : clock();
  let line = '';
  const clearLine = () => line !== '' && stream.write('\r\u001b[2K');
  return {
    /** @param what is counted @param detail anything else, to follow the numbers */
    show(what: string, done: number, total: number, detail?: string): void {
      const now = clock();
      if (now - last < wait) return;
      last = now;
      const numbers = `${what} ${formatNumber(done)} of ${formatNumber(total)}`;
      const shown = detail === undefined ? numbers : `${numbers}, ${detail}`;
      if (!stream.isTTY) {
        stream.write(`${shown}\n`);
        return;
      }
      line = shown.slice(0, (stream.columns || 80) - 1);
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
