import { pino } from 'pino';
import { type Level, levelOf } from './levels.ts';

/**
 * Tells the operator what happened. Never handed a key, a header or a URL.
 *
 * @param error what went wrong, where something threw
 * @param details fields of the line, for programs that read it; its level is `levelOf` the error where they name none
 */
export type Log = (message: string, error?: unknown, details?: Details) => void;

/** Fields of a line beside its message. */
export interface Details {
  readonly level?: Level;
  readonly requestId?: string;
  /** Kind of what a request asked for. */
  readonly route?: string;
  /** What was found. */
  readonly path?: string;
  readonly exam?: string;
  readonly year?: string;
  readonly shift?: string;
  readonly file?: string;
  readonly status?: number;
  readonly milliseconds?: number;
  readonly account?: string;
  readonly keyId?: string;
  readonly release?: string;
}

/**
 * Opens the log on standard error: a line an event, of JSON for programs, of words on a terminal.
 *
 * @param least what matters less is left out
 */
export function openLog(least: Level): Log {
  const { stderr } = process;
  // Where no one reads the log any more, the process goes on without.
  stderr.on('error', () => {});
  const write = stderr.isTTY
    ? (line: string) => stderr.write(inWords(line))
    : (line: string) => stderr.write(line);
  const logger = pino(
    {
      level: least,
      base: null,
      messageKey: 'message',
      errorKey: 'error',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { error: ofError },
    },
    { write },
  );
  return (message, error, details = {}) => {
    const { level = levelOf(error), ...fields } = details;
    logger[level](error === undefined ? fields : { ...fields, error }, message);
  };
}

/** Of an error, what it says of itself: a database's own fields may hold rows, an answer's its headers. */
function ofError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  return { name, message, ...(code !== undefined && { code }), stack };
}

/** What a terminal would take for a command. */
const controls = /[^\P{Cc}\n\t]/gu;

/** A line of JSON as one to be read: when, what, and in brackets the rest; the stack of an error follows. */
export function inWords(line: string): string {
  const { level, time, message, error, ...fields } = JSON.parse(line);
  const rest = Object.entries(fields).map(([name, value]) => `${name} ${value}`);
  const more = rest.length === 0 ? '' : ` (${rest.join(', ')})`;
  const stack = error === undefined ? '' : `\n${error.stack ?? error.message}`;
  return `${time} ${level} ${message}${more}${stack}\n`.replaceAll(controls, '?');
}
