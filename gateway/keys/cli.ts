import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '../clock.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { defaultPlan } from '../limits/plans.ts';
import { type Database, isSqliteError, openDatabase, StorageError } from './database.ts';
import { createKey, type KeyListing, KeyRequestError, listKeys, revokeKey } from './keys.ts';

const usage = `Usage:
  npm run keys -- create --account NAME [--plan PLAN] [--expires 30d] [--json]
  npm run keys -- list [--account NAME] [--json]
  npm run keys -- revoke ID [--json]

  --expires   how long the key lives: a whole number and s, m, h or d
  --json      print JSON, for programs

Exit status: 0 fine, 1 the request cannot be met, 2 the command was used wrongly or could not run.
`;

/** Milliseconds to wait for another process that is writing. */
const busyTimeout = 5000;

/** 0: fine, 1: the request is at fault, 2: used wrongly or could not run. */
type ExitStatus = 0 | 1 | 2;

class UsageError extends Error {}

type Arguments = ReturnType<typeof readArguments>;

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        account: { type: 'string' },
        plan: { type: 'string' },
        expires: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    return { ...values, positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function create(database: Database, config: Config, args: Arguments): Promise<void> {
  const { account, plan, expires } = args;
  if (account === undefined || account.trim() === '') throw new UsageError('create needs --account NAME.');
  if (args.positionals.length > 1) throw new UsageError(`create takes no "${args.positionals[1]}".`);
  if (plan !== undefined && !Object.hasOwn(config.plans, plan)) {
    throw new KeyRequestError(
      `There is no plan "${plan}"; there are ${Object.keys(config.plans).join(', ')}.`,
    );
  }
  const created = await createKey(database, systemClock, {
    account,
    plan,
    fallbackPlan: defaultPlan(config.plans),
    lifetime: expires === undefined ? undefined : parseLifetime(expires),
    prefix: config.apiKeyPrefix,
  });
  if (args.json) return print(created);
  process.stdout.write(`${created.key}\n\n`);
  process.stdout.write(`This is the only time that the key is shown. Its id is ${created.id},\n`);
  process.stdout.write(`its account "${created.account}", on the plan "${created.plan}". `);
  process.stdout.write(
    created.expiresAt === null ? 'It does not expire.\n' : `It expires at ${created.expiresAt}.\n`,
  );
}

async function list(database: Database, args: Arguments): Promise<void> {
  refuseOptions(args, 'list', ['plan', 'expires']);
  if (args.positionals.length > 1) throw new UsageError(`list takes no "${args.positionals[1]}".`);
  const keys = await listKeys(database, systemClock, args.account);
  if (args.json) return print(keys);
  if (keys.length === 0) process.stdout.write('There are no keys.\n');
  for (const key of keys) process.stdout.write(`${describe(key)}\n`);
}

async function revoke(database: Database, args: Arguments): Promise<void> {
  refuseOptions(args, 'revoke', ['account', 'plan', 'expires']);
  const [, id, ...more] = args.positionals;
  if (id === undefined || more.length > 0) throw new UsageError('revoke takes the id of one key.');
  const key = await revokeKey(database, systemClock, id);
  if (args.json) return print(key);
  process.stdout.write(`${describe(key)}\n`);
}

function refuseOptions(
  args: Arguments,
  command: string,
  names: readonly ('account' | 'plan' | 'expires')[],
): void {
  const given = names.find((name) => args[name] !== undefined);
  if (given !== undefined) throw new UsageError(`${command} takes no --${given}.`);
}

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
/** Days. */
const longestLifetime = 36_500;

/** @returns milliseconds */
function parseLifetime(text: string): number {
  const match = /^(\d{1,10})([smhd])$/.exec(text);
  const seconds = match ? Number(match[1]) * units[match[2] as keyof typeof units] : 0;
  if (seconds > 0 && seconds <= longestLifetime * units.d) return seconds * 1000;
  throw new UsageError(`--expires is a whole number and s, m, h or d, like 30d, not "${text}".`);
}

function describe({ id, start, state, account, plan, createdAt, expiresAt }: KeyListing): string {
  const until = expiresAt === null ? 'does not expire' : `expires ${expiresAt}`;
  return `${id}  ${start}...  ${state}  ${account} (${plan})  created ${createdAt}  ${until}`;
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function run(args: Arguments): Promise<void> {
  const [command] = args.positionals;
  if (command !== 'create' && command !== 'list' && command !== 'revoke') {
    throw new UsageError(
      command === undefined ? 'No command is given.' : `There is no command "${command}".`,
    );
  }
  const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  const database = await openDatabase(config.databaseFile, busyTimeout);
  try {
    if (command === 'create') await create(database, config, args);
    else if (command === 'list') await list(database, args);
    else await revoke(database, args);
  } finally {
    await database.destroy();
  }
}

function explain(error: unknown): [ExitStatus, string] {
  if (error instanceof KeyRequestError) return [1, error.message];
  if (error instanceof UsageError) return [2, `${error.message}\n\n${usage}`];
  if (error instanceof ConfigError || error instanceof StorageError) return [2, error.message];
  if (isSqliteError(error)) return [2, `The database refused: ${error.message}.`];
  return [2, `This is a fault of the command itself. Please report it.\n${(error as Error).stack ?? error}`];
}

// A reader that has seen enough (`| head`) ends the command, and is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(2);
});

try {
  await run(readArguments(process.argv.slice(2)));
} catch (error) {
  const [status, message] = explain(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = status;
}
