import type { Timing } from './rate-limit.ts';
import type { Standing, Watcher } from './tally.ts';
import { counted, inWords, sizeInWords } from './words.ts';

/** Milliseconds between two showings: on a terminal nobody reads faster, in a log nobody wants more. */
const terminalPause = 100;
const logPause = 10_000;

/** Characters of the bar. */
const barWidth = 24;

/** Where progress is shown. */
export interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Shows how far a pull is. */
export interface Progress extends Watcher {
  /** Leaves nothing half written. */
  end(): void;
}

/** On a terminal one line that is written over, with a bar; in a log a plain line every ten seconds. */
export function showProgress(screen: Screen, timing: Timing): Progress {
  let last = Number.NEGATIVE_INFINITY;
  let line = '';

  function isTimely(pause: number): boolean {
    if (timing.elapsed() - last < pause) return false;
    last = timing.elapsed();
    return true;
  }

  if (!screen.isTTY)
    return {
      standing: (standing) => isTimely(logPause) && screen.write(`${inOneLine(standing)}\n`),
      note: (sentence) => screen.write(`${sentence}\n`),
      end: () => undefined,
    };
  return {
    standing(standing) {
      line = `${bar(standing)} ${inOneLine(standing)}`.slice(0, (screen.columns || 80) - 1);
      if (isTimely(terminalPause)) screen.write(`\r\u001b[2K${line}`);
    },
    note: (sentence) => screen.write(`\r\u001b[2K${sentence}\n${line}`),
    end: () => screen.write('\r\u001b[2K'),
  };
}

function bar({ done, total }: Standing): string {
  const full = total === 0 ? 0 : Math.floor((done / total) * barWidth);
  return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`;
}

function inOneLine({ done, total, bytes, left }: Standing): string {
  const size = `${done.toLocaleString('en')} of ${counted(total, 'file')}, ${sizeInWords(bytes)}`;
  return left === undefined || left === 0 ? size : `${size}, ${inWords(left)} left`;
}
