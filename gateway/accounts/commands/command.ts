/** What the commands for the database have in common. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  type CommandIO,
  choose,
  type ExitStatus,
  runCommand,
} from '../../../build/command-line/command.ts';
import { unknownName } from '../../../build/command-line/nearest.js';
import type { Plans } from '../../../build/release/plans.ts';
import { realSystem, type System } from '../../clock.ts';
import { type Config, readSettings } from '../../config.ts';
import { type DatabaseLocation, describeLocation } from '../../config-values.ts';
import { RequestError } from '../accounts.ts';
import { isDatabaseError, openDatabase, StorageError } from '../store/store.ts';
import type { Database } from '../store/tables.ts';

export interface CommandContext {
  readonly database: Database;
  readonly config: Config;
  readonly io: CommandIO;
  readonly system: System;
}

/**
 * Rejects a SQLite file whose folder does not exist: the command runs in a wrong folder, and would create it.
 *
 * @throws StorageError
 */
export function requireFolder(location: DatabaseLocation): void {
  if (location.kind !== 'sqlite') return;
  const folder = dirname(resolve(location.file));
  if (!existsSync(folder))
    throw new StorageError(
      `The data folder ${folder} does not exist, so nothing was changed. ${howToNameData}`,
    );
}

const howToNameData =
  'Run the command in the folder of your bank, or set DATA_DIR or DATABASE_URL. The first start of the gateway creates ' +
  'the data folder of a new bank.';

/** Names the bank and the database of a command, for a person who runs it in another folder than intended. */
function describePlace({ bank, database }: Config): string {
  const place = database.kind === 'sqlite' ? resolve(database.file) : describeLocation(database);
  return `Bank: ${bank.name}. Database: ${place}.\n`;
}

/** Parses its arguments, and returns a function that runs with the database open. */
export type Command = (args: readonly string[]) => (context: CommandContext) => Promise<void>;

/** Returns the function that runs one of several commands, with the database open, and returns its exit status. */
export function databaseCommand(commands: Readonly<Record<string, Command>>) {
  return (
    [name, ...args]: readonly string[],
    usage: string,
    io: CommandIO = process,
    system: System = realSystem,
  ): Promise<ExitStatus> =>
    reportErrors(usage, io, async () => {
      const run = choose(commands, 'command', name)(args);
      const config = readSettings(io.env);
      requireFolder(config.database);
      const database = await openDatabase(config.database);
      if (!args.includes('--json')) io.stderr.write(describePlace(config));
      await run({ database, config, io, system }).finally(() => database.destroy());
    });
}

/** Runs a command, and prints the error that it throws. */
export function reportErrors(
  usage: string,
  io: CommandIO,
  run: () => Promise<void>,
): Promise<ExitStatus> {
  return runCommand(io, usage, () => run().then(() => 0), explain);
}

function explain(error: Error): readonly [ExitStatus, string] | undefined {
  return isDatabaseError(error)
    ? [2, `The database reported an error: ${error.message}.`]
    : undefined;
}

/** @throws RequestError when there is no such plan */
export function requirePlan(plans: Plans, plan: string): void {
  if (!Object.hasOwn(plans, plan))
    throw new RequestError(unknownName('plan', plan, Object.keys(plans)));
}
