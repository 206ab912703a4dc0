import { pino } from 'pino';
import type { Clock } from '../clock.ts';

/** Levels of log lines, the most severe first. */
export const levels = ['error', 'warn', 'info', 'debug'] as const;

export type Level = (typeof levels)[number];

/** The level of a line that sets none. */
export function defaultLevel(error: unknown): Level {
  return error === undefined ? 'warn' : 'error';
}

/**
 * Writes a line for the operator. Never pass a key, a header or a URL.
 *
 * @param error what was thrown, if anything
 * @param details further fields of the line; without a level it is `defaultLevel`
 */
export type Log = (message: string, error?: unknown, details?: Details) => void;

/** Fields of a log line beside its message. */
export interface Details {
  readonly level?: Level;
  readonly [field: string]: string | number | undefined;
}

/** Bytes of lines that wait for a slow reader of the log, at most. */
const maxWaiting = 1024 * 1024;

/**
 * Opens the log on standard error: one line per event, as JSON for programs and as text on a terminal. Lines that a slow
 * reader leaves no room for are dropped and counted.
 *
 * @param minLevel less severe lines are left out
 */
export function openLog(minLevel: Level): Log {
  const { stderr } = process;
  // A log that nobody reads any more must not end the process.
  stderr.on('error', () => {});
  let dropped = 0;

  function write(line: string): void {
    if (stderr.writableLength > maxWaiting) {
      dropped += 1;
      return;
    }
    const number = dropped;
    dropped = 0;
    if (number > 0)
      logger.warn(`${number} log lines were dropped because the reader of the log was too slow.`);
    stderr.write(stderr.isTTY ? formatLine(line) : line);
  }

  const logger = pino(
    {
      level: minLevel,
      base: null,
      messageKey: 'message',
      errorKey: 'error',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { error: serializeError },
    },
    { write },
  );
  return (message, error, details = {}) => {
    const { level = defaultLevel(error), ...fields } = details;
    logger[level](error === undefined ? fields : { ...fields, error }, message);
  };
}

/** The standard fields of an error. Others may contain rows of a database or headers of a response. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  return { name, message, code, stack };
}

/** What an error says. If a name has several addresses and all fail, the error has no message of its own. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || 'unknown reason';
}

/** Control characters, which a terminal could interpret. */
const controls = /[^\P{Cc}\n\t]/gu;

/** Formats a JSON line for a terminal: time, level, message, further fields in brackets, the stack of an error. */
export function formatLine(line: string): string {
  const { level, time, message, error, ...fields } = JSON.parse(line);
  const rest = Object.entries(fields).map(([name, value]) => `${name} ${value}`);
  const more = rest.length === 0 ? '' : ` (${rest.join(', ')})`;
  const stack = error === undefined ? '' : `\n${error.stack ?? error.message}`;
  return `${time} ${level} ${message}${more}${stack}\n`.replaceAll(controls, '?');
}

/** Logs an outage once when it begins, and once when it ends. */
export function outageLog(log: Log) {
  const outage = {
    isOngoing: false,
    begin(message: string, error?: unknown): void {
      if (!outage.isOngoing) log(message, error);
      outage.isOngoing = true;
    },
    /** @param message none if nobody needs to know */
    end(message?: string): void {
      if (outage.isOngoing && message !== undefined) log(message);
      outage.isOngoing = false;
    },
  };
  return outage;
}

/**
 * Wraps a log for lines that any request or client can cause, so that an outage fills no disk: in each interval, it
 * writes some of them, and then only their number.
 *
 * @param clock milliseconds that never go back
 * @param lines at most in an interval
 * @param interval milliseconds
 */
export function throttledLogger(
  log: Log,
  clock: Pick<Clock, 'elapsed'>,
  lines = 100,
  interval = 1000,
): Log {
  let since = Number.NEGATIVE_INFINITY;
  let written = 0;
  let omitted = 0;

  return (message, error, details) => {
    if (clock.elapsed() - since >= interval) {
      if (omitted > 0) log(`${omitted} more lines like these were omitted.`);
      since = clock.elapsed();
      written = 0;
      omitted = 0;
    }
    if (written < lines) log(message, error, details);
    else omitted += 1;
    written += 1;
  };
}
