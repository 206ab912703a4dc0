import type { WriteStream } from 'node:tty';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** 0: fine, 1: the content is at fault, 2: used wrongly or could not run. */
export type ExitStatus = 0 | 1 | 2;

/** Where the commands read and write. */
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

/** What a command uses of an output stream. */
export type TerminalStream = Pick<WriteStream, 'write' | 'isTTY' | 'columns' | 'hasColors'>;

/** One command of the command line. Returns its exit status. */
export type Command = (args: readonly string[], folders: Folders, io: CommandIO) => Promise<ExitStatus>;

/** The command was given something that it does not take. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Reads options and words. @throws UsageError when they are not those that are known */
export function readArguments<Known extends ParseArgsConfig>(args: readonly string[], known: Known) {
  try {
    return parseArgs({ ...known, args: [...args] });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Columns of what is no terminal: of a log, say. */
const defaultWidth = 120;

/** How wide a stream's lines may be, and whether it shows colours; `NO_COLOR` and `FORCE_COLOR` are heeded. */
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
