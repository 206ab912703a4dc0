import type { WriteStream } from 'node:tty';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** 0: success, 1: the content or the request is at fault, 2: the command was used wrongly or could not run. */
export type ExitStatus = 0 | 1 | 2;

/** The folders that commands read and write. */
export interface Folders {
  readonly contentDir: string;
  readonly distDir: string;
  readonly dataDir: string;
}

/** The streams and environment of a command; `process` has them. */
export interface CommandIO {
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  readonly env: NodeJS.ProcessEnv;
}

/** The part of an output stream that commands use. */
export type TerminalStream = Pick<WriteStream, 'write' | 'isTTY' | 'columns' | 'hasColors'>;

/** A command of the command line. Returns its exit status. */
export type Command = (args: readonly string[], folders: Folders, io: CommandIO) => Promise<ExitStatus>;

/** The command was used wrongly. Its usage is printed after the message. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parses the arguments of a command. @throws UsageError for unknown options */
export function readArguments<Config extends ParseArgsConfig>(args: readonly string[], config: Config) {
  try {
    return parseArgs({ ...config, args: [...args] });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
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
