/** `npm run keys`: creates, lists and revokes keys. */
import { systemClock } from '../../clock.ts';
import { defaultPlan } from '../../config-values.ts';
import { requireAccount } from '../accounts.ts';
import { createKey, type KeyListing, listKeys, revokeKey, revokeKeysOfAccount } from '../keys.ts';
import {
  type Command,
  type CommandIO,
  type ExitStatus,
  parseArguments,
  print,
  requirePlan,
  runCommand,
  UsageError,
} from './command.ts';

const create: Command = (args) => {
  const { options } = parseArguments('create', args, [], 'account', 'plan', 'expires', 'name');
  const { account, plan, expires, name = '', json } = options;
  if (account === undefined || account.trim() === '') throw new UsageError('create requires --account NAME.');
  const lifetime = expires === undefined ? undefined : parseLifetime(expires);
  return async ({ database, config, io }) => {
    if (plan !== undefined) requirePlan(config.plans, plan);
    const fallbackPlan = defaultPlan(config.plans);
    const request = { account, plan, fallbackPlan, lifetime, name, prefix: config.apiKeyPrefix };
    const { id, key, plan: keyPlan, expiresAt } = await createKey(database, systemClock, request);
    const { userId } = await requireAccount(database, account);
    if (userId !== null) {
      io.stderr.write(`"${account}" is the account of a user, who can see this key and rotate it.\n`);
    }
    const expiry = expiresAt === null ? 'It does not expire.' : `It expires at ${expiresAt}.`;
    print(
      io,
      json,
      { id, key, account, plan: keyPlan, expiresAt },
      `${key}

The key is not shown again. Its id is ${id},
its account "${account}", on the plan "${keyPlan}". ${expiry}
`,
    );
  };
};

const list: Command = (args) => {
  const { options } = parseArguments('list', args, [], 'account');
  return async ({ database, io }) => {
    const keys = await listKeys(database, systemClock, options.account);
    print(io, options.json, keys, keys.length === 0 ? 'There are no keys.\n' : lines(keys));
  };
};

const revoke: Command = (args) => {
  const byAccount = args.some((arg) => /^--account(=|$)/.test(arg));
  const parameters = byAccount ? [] : ['the id of one key'];
  const { positionals, options } = parseArguments('revoke', args, parameters, 'account');
  const { account, json } = options;
  return async ({ database, io }) => {
    if (account !== undefined) {
      const keys = await revokeKeysOfAccount(database, systemClock, account);
      print(io, json, keys, lines(keys));
    } else {
      const key = await revokeKey(database, systemClock, positionals[0] ?? '');
      print(io, json, key, lines([key]));
    }
  };
};

const commands: Readonly<Record<string, Command>> = { create, list, revoke };

/** Runs `npm run keys`. Returns its exit status. */
export function main(args: readonly string[], usage: string, io: CommandIO = process): Promise<ExitStatus> {
  return runCommand(commands, usage, args, io);
}

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
/** Days. */
const maxLifetime = 36_500;

/** @returns milliseconds */
function parseLifetime(text: string): number {
  const match = /^(\d{1,10})([smhd])$/.exec(text);
  const seconds = match ? Number(match[1]) * units[match[2] as keyof typeof units] : 0;
  if (seconds > 0 && seconds <= maxLifetime * units.d) return seconds * 1000;
  throw new UsageError(`--expires must be a whole number with s, m, h or d, for example 30d, not "${text}".`);
}

function lines(keys: readonly KeyListing[]): string {
  return keys.map((key) => `${describe(key)}\n`).join('');
}

function describe({ id, name, start, state, account, plan, createdAt, expiresAt }: KeyListing): string {
  const expiry = expiresAt === null ? 'does not expire' : `expires ${expiresAt}`;
  const label = name === '' ? '' : `  "${name}"`;
  return `${id}  ${start}...  ${state}  ${account} (${plan})  created ${createdAt}  ${expiry}${label}`;
}
