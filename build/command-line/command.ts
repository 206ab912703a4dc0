/** What all commands have in common: arguments, streams, exit status and error messages. */
import type { WriteStream } from 'node:tty';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UserError } from '../release/user-error.ts';
import { didYouMean, unknownName } from './nearest.js';

/** 0: success, 1: a problem with the content or the request, 2: incorrect usage, or the command could not run. */
export type ExitStatus = 0 | 1 | 2;

/** The streams and environment of a command; `process` has them. */
export interface CommandIO {
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  readonly env: NodeJS.ProcessEnv;
}

/** The part of an output stream that commands use. */
export type TerminalStream = Pick<WriteStream, 'write' | 'isTTY' | 'columns' | 'hasColors'>;

/** The folders that commands read and write. */
export interface Folders {
  readonly contentDir: string;
  readonly distDir: string;
  readonly dataDir: string;
}

/**
 * A command of the build. Returns its exit status.
 *
 * @param serve starts the gateway, and returns its exit status if it cannot start; for `dev`
 */
export type Command = (
  args: readonly string[],
  folders: Folders,
  io: CommandIO,
  serve?: () => Promise<ExitStatus>,
) => Promise<ExitStatus>;

/** The command was used wrongly. The first paragraph of its usage is printed after the message. */
export class UsageError extends UserError {}

/**
 * Runs a command, and prints the error that it throws.
 *
 * @param usage is printed after a `UsageError`
 * @param explain the exit status and message of an error that is no `UserError`; undefined for a bug
 */
export async function runCommand(
  io: Pick<CommandIO, 'stderr'>,
  usage: string,
  run: () => Promise<ExitStatus>,
  explain: (error: Error) => readonly [ExitStatus, message: string] | undefined = () => undefined,
): Promise<ExitStatus> {
  try {
    return await run();
  } catch (thrown) {
    const [status, message] = explain(thrown as Error) ?? explainError(thrown as Error, usage);
    io.stderr.write(`${escapeLines(message)}\n`);
    return status;
  }
}

function explainError(error: Error, usage: string): readonly [ExitStatus, message: string] {
  // The rest is one --help away, and would hide the message.
  if (error instanceof UsageError)
    return [2, `${error.message}\n\n${usage.split('\n\n')[0]?.trimEnd()}\nMore: --help`];
  if (error instanceof UserError) return [error.exitStatus, error.message];
  return [2, `This is a bug in Pastpaper. Please report it.\n${error.stack ?? error}`];
}

/**
 * Parses the arguments of a command.
 *
 * @param parameters its positional arguments as in its usage: `FILE`, `[FILE]` if optional, `FILE...` if repeatable
 * @throws UsageError for unknown options, and for missing and surplus arguments
 */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  ...parameters: readonly string[]
) {
  const { values, positionals } = parse(args, options);
  const missing = parameters.slice(positionals.length).find((name) => !name.startsWith('['));
  if (missing !== undefined) throw new UsageError(`Missing argument: ${missing}.`);
  const surplus = positionals[parameters.length];
  if (surplus !== undefined && !parameters.at(-1)?.endsWith('...'))
    throw new UsageError(`Unexpected argument "${surplus}".`);
  return { values, positionals };
}

function parse<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && /'(-[^' ]+)/.exec(message)?.[1];
    if (!unknown) throw new UsageError(`${message}.`);
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`Unknown option "${unknown}".${didYouMean(unknown, names)}`);
  }
}

/**
 * Returns the entry of a table that an argument names.
 *
 * @param kind what the argument names, as a singular noun
 * @throws UsageError when there is none
 */
export function choose<Value>(
  table: Readonly<Record<string, Value>>,
  kind: string,
  name: string | undefined,
): Value {
  if (name === undefined) throw new UsageError(`Missing ${kind}.`);
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry === undefined) throw new UsageError(unknownName(kind, name, Object.keys(table)));
  return entry;
}

/** Invisible characters, some of which control a terminal, but for the two joiners, which scripts and emoji need. */
const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes the invisible characters of a text as JSON does: `\u202e`. */
export function escapeInvisible(text: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(invisible, (character) => character.split('').map(escapeUnit).join(''));
}

/** Prints a value as a line of JSON, or its text. Names that others chose cannot control the terminal. */
export function print(
  { stdout }: Pick<CommandIO, 'stdout'>,
  asJson: boolean,
  value: unknown,
  text: string,
): void {
  const printed = asJson ? `${JSON.stringify(value)}\n` : text;
  stdout.write(escapeLines(printed));
}

function escapeLines(text: string): string {
  return text.split('\n').map(escapeInvisible).join('\n');
}

/** Columns of a stream that is not a terminal, such as a log. */
const defaultWidth = 120;

/** The columns of a stream, and whether it shows colours. Respects `NO_COLOR` and `FORCE_COLOR`. */
export function terminal(
  stream: TerminalStream,
  env: CommandIO['env'],
): { readonly width: number; readonly colour: boolean } {
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  return {
    width: stream.columns || defaultWidth,
    colour: stream.isTTY ? stream.hasColors() : forced && env['NO_COLOR'] === undefined,
  };
}
