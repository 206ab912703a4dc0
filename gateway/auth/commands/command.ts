/** What the commands for the database have in common. */
import { readFileSync } from 'node:fs';
import { type CommandIO, choose, type ExitStatus, runCommand } from '../../../build/command-line/command.ts';
import { unknownName } from '../../../build/command-line/nearest.js';
import { readBank } from '../../../build/release/bank.ts';
import type { Plans } from '../../../build/release/plans.ts';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { RequestError } from '../accounts.ts';
import { isDatabaseError, openDatabase, StorageError } from '../store/store.ts';
import type { Database } from '../store/tables.ts';

/** Milliseconds to wait for another process that writes. */
export const lockTimeout = 5000;

export interface CommandContext {
  readonly database: Database;
  readonly config: Config;
  readonly io: CommandIO;
}

/** Parses its arguments, and returns a function that runs with the database open. */
export type Command = (args: readonly string[]) => (context: CommandContext) => Promise<void>;

/**
 * Runs one of several commands, with the database open.
 *
 * @param args the command's name and its arguments
 */
export function runDatabaseCommand(
  commands: Readonly<Record<string, Command>>,
  usage: string,
  [name, ...args]: readonly string[],
  io: CommandIO,
): Promise<ExitStatus> {
  return reportErrors(usage, io, async () => {
    const run = choose(commands, 'command', name)(args);
    const config = readConfig(io.env, (path) => readFileSync(path, 'utf8'), readBank());
    const database = await openDatabase(config.database, lockTimeout);
    await run({ database, config, io }).finally(() => database.destroy());
  });
}

/** Runs a command, and prints the error that it throws. */
export function reportErrors(usage: string, io: CommandIO, run: () => Promise<void>): Promise<ExitStatus> {
  return runCommand(io, usage, () => run().then(() => 0), explain);
}

function explain(error: Error): readonly [ExitStatus, string] | undefined {
  if (error instanceof RequestError) return [1, error.message];
  if (error instanceof ConfigError || error instanceof StorageError) return [2, error.message];
  if (isDatabaseError(error)) return [2, `The database reported an error: ${error.message}.`];
  return undefined;
}

/** @throws RequestError when there is no such plan */
export function requirePlan(plans: Plans, plan: string): void {
  if (!Object.hasOwn(plans, plan)) throw new RequestError(unknownName('plan', plan, Object.keys(plans)));
}
