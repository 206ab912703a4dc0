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

const plan: Command = (args) => {
  const { positionals, options } = parseArguments('plan', args, [
    'the name of an account',
    'the name of a plan',
  ]);
  const [name = '', planName = ''] = positionals;
  return async (context) => {
    requirePlan(context.config.plans, planName);
    await printAccount(
      context,
      options.json,
      await changePlan(context.database, systemClock, name, planName),
    );
  };
};

const block: Command = (args) => {
  const { positionals, options } = parseArguments('block', args, ['the name of an account']);
  return async (context) => {
    const account = await blockAccount(context.database, systemClock, positionals[0] ?? '');
    await printAccount(context, options.json, account);
  };
};

const unblock: Command = (args) => {
  const { positionals, options } = parseArguments('unblock', args, ['the name of an account']);
  return async (context) => {
    const account = await unblockAccount(context.database, systemClock, positionals[0] ?? '');
    await printAccount(context, options.json, account);
  };
};

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

async function printAccount(
  { config, io }: CommandContext,
  asJson: boolean,
  listing: AccountListing,
): Promise<void> {
  for (const account of await withUsage(config, [listing]))
    print(io, asJson, account, `${describe(account)}\n`);
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
