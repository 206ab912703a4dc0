import { readFileSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { RequestError } from '../request-error.ts';
import { isDatabaseError, openDatabase, StorageError } from '../store/database.ts';
import type { Database } from '../store/tables.ts';

/** Milliseconds to wait for another process that is writing. */
const patience = 5000;

/** 0: fine, 1: the request is at fault, 2: used wrongly or could not run. */
export type ExitStatus = 0 | 1 | 2;

/** The command was used wrongly. The message says how; the usage follows it. */
export class UsageError extends Error {}

/** What a command works on. */
export interface Tools {
  readonly database: Database;
  readonly config: Config;
  readonly io: CommandIO;
}

/** The streams and environment of a command; `process` has them. */
export interface CommandIO {
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
  readonly env: NodeJS.ProcessEnv;
}

/** One command: it reads its arguments, and is then run with the database open. */
export type Command = (args: readonly string[]) => (tools: Tools) => Promise<void>;

/**
 * Runs one of the commands.
 *
 * @param commands by name
 * @param args the command's name and its arguments
 * @returns its exit status
 */
export async function runCommand(
  commands: Readonly<Record<string, Command>>,
  usage: string,
  args: readonly string[],
  io: CommandIO,
): Promise<ExitStatus> {
  try {
    await run(commands, args, io);
    return 0;
  } catch (error) {
    const [status, message] = explain(error, usage);
    io.stderr.write(`${message}\n`);
    return status;
  }
}

async function run(
  commands: Readonly<Record<string, Command>>,
  [name, ...args]: readonly string[],
  io: CommandIO,
): Promise<void> {
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    throw new UsageError(name === undefined ? 'No command is given.' : `There is no command "${name}".`);
  }
  const work = command(args);
  const config = readConfig(io.env, (path) => readFileSync(path, 'utf8'));
  const database = await openDatabase(config.database, patience);
  try {
    await work({ database, config, io });
  } finally {
    await database.destroy();
  }
}

function explain(error: unknown, usage: string): [ExitStatus, string] {
  if (error instanceof RequestError) return [1, error.message];
  if (error instanceof UsageError) return [2, `${error.message}\n\n${usage}`];
  if (error instanceof ConfigError || error instanceof StorageError) return [2, error.message];
  if (isDatabaseError(error)) return [2, `The database refused: ${error.message}.`];
  return [2, `This is a fault of the command itself. Please report it.\n${(error as Error).stack ?? error}`];
}

/** Prints a line of JSON, or what a person reads. */
export function print({ stdout }: CommandIO, asJson: boolean, value: unknown, text: string): void {
  stdout.write(asJson ? `${JSON.stringify(value)}\n` : text);
}
