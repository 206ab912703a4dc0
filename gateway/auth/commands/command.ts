/** What the commands for the database have in common: arguments, exit status and messages. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Plans } from '../../../build/release/plans.ts';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { RequestError } from '../accounts.ts';
import { isDatabaseError, openDatabase, StorageError } from '../store/store.ts';
import type { Database } from '../store/tables.ts';

/** Milliseconds to wait for another process that writes. */
export const lockTimeout = 5000;

/** 0: fine, 1: the request cannot be met, 2: the command was used wrongly or could not run. */
export type ExitStatus = 0 | 1 | 2;

/** The command was used wrongly. Its usage is printed after the message. */
export class UsageError extends Error {}

/** The streams and environment of a command; `process` has them. */
export interface CommandIO {
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
  readonly env: NodeJS.ProcessEnv;
}

export interface CommandContext {
  readonly database: Database;
  readonly config: Config;
  readonly io: CommandIO;
}

/** Parses its arguments, and returns a function that runs with the database open. */
export type Command = (args: readonly string[]) => (context: CommandContext) => Promise<void>;

/**
 * Runs a command, and prints what fails.
 *
 * @param commands by name
 * @param args the command's name and its arguments
 */
export function runCommand(
  commands: Readonly<Record<string, Command>>,
  usage: string,
  [name, ...args]: readonly string[],
  io: CommandIO,
): Promise<ExitStatus> {
  return reportErrors(usage, io, async () => {
    const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command)
      throw new UsageError(name === undefined ? 'Missing command.' : `Unknown command "${name}".`);
    const run = command(args);
    const config = readConfig(io.env, (path) => readFileSync(path, 'utf8'));
    const database = await openDatabase(config.database, lockTimeout);
    await run({ database, config, io }).finally(() => database.destroy());
  });
}

/** Runs a command, and prints what fails. */
export async function reportErrors(
  usage: string,
  io: CommandIO,
  run: () => Promise<void>,
): Promise<ExitStatus> {
  try {
    await run();
    return 0;
  } catch (error) {
    const [status, message] = describeError(error, usage);
    io.stderr.write(`${message}\n`);
    return status;
  }
}

function describeError(error: unknown, usage: string): [ExitStatus, string] {
  if (error instanceof RequestError) return [1, error.message];
  if (error instanceof UsageError) return [2, `${error.message}\n\n${usage}`];
  if (error instanceof ConfigError || error instanceof StorageError) return [2, error.message];
  if (isDatabaseError(error)) return [2, `The database reported an error: ${error.message}.`];
  return [2, `This is a fault of the command itself. Please report it.\n${(error as Error).stack ?? error}`];
}

/** Prints a value as a line of JSON, or its text. */
export function print({ stdout }: CommandIO, asJson: boolean, value: unknown, text: string): void {
  stdout.write(asJson ? `${JSON.stringify(value)}\n` : text);
}

/** Options of a command, each with a value, and `--json`. */
type Options<Name extends string> = { readonly [Option in Name]?: string } & { readonly json: boolean };

/**
 * Parses the arguments of a command.
 *
 * @param command its name, for messages
 * @param parameters names of its positional arguments, for messages
 * @throws UsageError when an argument is missing or unknown
 */
export function parseArguments<Name extends string>(
  command: string,
  args: readonly string[],
  parameters: readonly string[],
  ...names: readonly Name[]
): { readonly positionals: readonly string[]; readonly options: Options<Name> } {
  const { values, positionals } = parseOptions(command, args, names);
  const surplus = positionals[parameters.length];
  if (positionals.length < parameters.length) {
    throw new UsageError(`${command} requires ${parameters.join(' and ')}.`);
  }
  if (surplus !== undefined) throw new UsageError(`${command} does not accept "${surplus}".`);
  return { positionals, options: values as Options<Name> };
}

function parseOptions(command: string, args: readonly string[], names: readonly string[]) {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...options, json: { type: 'boolean', default: false } },
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && /'(-[^' ]+)/.exec(message)?.[1];
    throw new UsageError(unknown ? `${command} does not accept ${unknown}.` : message);
  }
}

/** @throws RequestError when there is no such plan */
export function requirePlan(plans: Plans, plan: string): void {
  if (Object.hasOwn(plans, plan)) return;
  throw new RequestError(`Unknown plan "${plan}". Available plans: ${Object.keys(plans).join(', ')}.`);
}
