import { readFileSync } from 'node:fs';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { RequestError } from '../request-error.ts';
import { isDatabaseError, openDatabase, StorageError } from '../store/database.ts';
import type { Database } from '../store/tables.ts';

/** Milliseconds to wait for another process that is writing. */
const patience = 5000;

/** 0: fine, 1: the request is at fault, 2: used wrongly or could not run. */
type ExitStatus = 0 | 1 | 2;

/** The command was used wrongly. The message says how; the usage follows it. */
export class UsageError extends Error {}

/** What a command works on. */
export interface Tools {
  readonly database: Database;
  readonly config: Config;
}

/** One command: it reads its arguments, and is then run with the database open. */
export type Command = (args: readonly string[]) => (tools: Tools) => Promise<void>;

/**
 * Runs one of the commands, as the arguments of the process say, and sets its exit status.
 *
 * @param commands by name, the first argument
 */
export async function runCommand(commands: Readonly<Record<string, Command>>, usage: string): Promise<void> {
  // A reader that has seen enough (`| head`) ends the command, and is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`The output cannot be written: ${error.message}\n`);
    process.exit(2);
  });
  try {
    await run(commands, process.argv.slice(2));
  } catch (error) {
    const [status, message] = explain(error, usage);
    process.stderr.write(`${message}\n`);
    process.exitCode = status;
  }
}

async function run(
  commands: Readonly<Record<string, Command>>,
  [name, ...args]: readonly string[],
): Promise<void> {
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    throw new UsageError(name === undefined ? 'No command is given.' : `There is no command "${name}".`);
  }
  const work = command(args);
  const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const database = await openDatabase(config.database, patience);
  try {
    await work({ database, config });
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
export function print(asJson: boolean, value: unknown, text: string): void {
  process.stdout.write(asJson ? `${JSON.stringify(value)}\n` : text);
}
