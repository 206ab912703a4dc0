/** `npm run accounts`: lists, moves, blocks and unblocks accounts, and creates links that set a new password. */
import { calendarOf, systemClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { openLog } from '../../log/logger.ts';
import { type AccountListing, blockAccount, changePlan, listAccounts, unblockAccount } from '../accounts.ts';
import {
  type Command,
  type CommandContext,
  type CommandIO,
  type ExitStatus,
  parseArguments,
  print,
  requirePlan,
  runCommand,
} from './command.ts';

const list: Command = (args) => {
  const { options } = parseArguments('list', args, []);
  return async ({ database, config, io }) => {
    const accounts = await withUsage(config, await listAccounts(database, systemClock));
    const text = accounts.map((account) => `${describe(account)}\n`).join('');
    print(io, options.json, accounts, text === '' ? 'There are no accounts.\n' : text);
  };
};

const accountParameter = 'the name of an account';

/** A command that changes an account and prints it. Its first argument is the account's name. */
function changing(
  command: string,
  parameters: readonly string[],
  change: (context: CommandContext, ...args: readonly string[]) => Promise<AccountListing>,
): Command {
  return (args) => {
    const { positionals, options } = parseArguments(command, args, parameters);
    return async (context) => {
      const [account] = await withUsage(context.config, [await change(context, ...positionals)]);
      if (account) print(context.io, options.json, account, `${describe(account)}\n`);
    };
  };
}

const plan = changing(
  'plan',
  [accountParameter, 'the name of a plan'],
  ({ database, config }, account = '', planName = '') => {
    requirePlan(config.plans, planName);
    return changePlan(database, systemClock, account, planName);
  },
);

const block = changing('block', [accountParameter], ({ database }, account = '') =>
  blockAccount(database, systemClock, account),
);

const unblock = changing('unblock', [accountParameter], ({ database }, account = '') =>
  unblockAccount(database, systemClock, account),
);

const resetLink: Command = (args) => {
  const { positionals, options } = parseArguments('reset-link', args, ['an email address']);
  return async ({ database, config, io }) => {
    const { createResetLink } = await import('../users/better-auth.ts');
    const link = await createResetLink(config, database, systemClock, positionals[0] ?? '');
    print(io, options.json, { link }, `${link}\n\nIt works once and is valid for one hour.\n`);
  };
};

const commands: Readonly<Record<string, Command>> = { list, plan, block, unblock, 'reset-link': resetLink };

/** Runs `npm run accounts`. Returns its exit status. */
export function main(args: readonly string[], usage: string, io: CommandIO = process): Promise<ExitStatus> {
  return runCommand(commands, usage, args, io);
}

function describe({ id, name, plan, state, createdAt, liveKeys, used }: AccountWithUsage): string {
  const keys = liveKeys === 1 ? '1 key' : `${liveKeys} keys`;
  return `${id}  ${name} (${plan})  ${state}  ${keys}  ${used ?? '?'} requests this month  created ${createdAt}`;
}

type AccountWithUsage = Omit<AccountListing, 'used'> & {
  /** Requests counted this month; null: Redis counts them and cannot be reached. */
  readonly used: number | null;
};

/** Adds the month's requests, where gateways count them in Redis. */
async function withUsage(
  { redisUrl, logLevel }: Config,
  accounts: readonly AccountListing[],
): Promise<readonly AccountWithUsage[]> {
  if (redisUrl === undefined) return accounts;
  const { openSharedUsage } = await import('../../limits/redis/shared-limits.ts');
  const { usage, close } = await openSharedUsage(redisUrl, openLog(logLevel));
  const { month } = calendarOf(systemClock.now());
  const withCounts: AccountWithUsage[] = [];
  for (const account of accounts) {
    withCounts.push({ ...account, used: await usage.read(account.id, month).catch(() => null) });
  }
  await close();
  return withCounts;
}
