/** `pastpaper accounts`: lists, changes and deletes accounts, and creates links that set a new password. */
import { print, readArguments } from '../../../build/command-line/command.ts';
import { minute, table } from '../../../build/command-line/table.ts';
import { type Clock, calendarOf } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { openLog } from '../../log/logger.ts';
import {
  type AccountListing,
  blockAccount,
  changePlan,
  deleteAccount,
  listAccounts,
  readAccount,
  requireAccount,
  unblockAccount,
} from '../accounts.ts';
import { listKeys } from '../keys.ts';
import { restoreBackup } from './backup.ts';
import { type Command, type CommandContext, databaseCommand, requirePlan } from './command.ts';
import { keyTable, reportMore } from './keys.ts';

const options = { json: { type: 'boolean', default: false } } as const;

const list: Command = (args) => {
  const { json } = readArguments(args, options).values;
  return async ({ database, config, io, system }) => {
    const accounts = await withUsage(config, system, await listAccounts(database, system));
    print(io, json, accounts, accounts.length === 0 ? 'There are no accounts.\n' : accountTable(accounts));
  };
};

const show: Command = (args) => {
  const { values, positionals } = readArguments(args, options, 'NAME');
  return async ({ database, config, io, system }) => {
    const [name = ''] = positionals;
    const { id } = await requireAccount(database, name);
    const account = await withUsage(config, system, [await readAccount(database, system, id)]);
    const { keys, hasMore } = await listKeys(database, system, name);
    print(io, values.json, { ...account[0], keys }, `${accountTable(account)}\n${keyTable(keys)}`);
    if (hasMore) reportMore(io, 2, name);
  };
};

/** A command that changes an account and prints it. Its first argument is the account's name. */
function changing(
  change: (context: CommandContext, ...args: readonly string[]) => Promise<AccountListing>,
  ...parameters: readonly string[]
): Command {
  return (args) => {
    const { values, positionals } = readArguments(args, options, 'NAME', ...parameters);
    return async (context) => {
      const changed = await withUsage(context.config, context.system, [await change(context, ...positionals)]);
      print(context.io, values.json, changed[0], accountTable(changed));
    };
  };
}

const plan = changing(({ database, config, system }, account = '', planName = '') => {
  requirePlan(config.plans, planName);
  return changePlan(database, system, account, planName);
}, 'PLAN');

const block = changing(({ database, system }, account = '') => blockAccount(database, system, account));

const unblock = changing(({ database, system }, account = '') => unblockAccount(database, system, account));

const remove: Command = (args) => {
  const { values, positionals } = readArguments(args, options, 'NAME');
  return async ({ database, io, system }) => {
    const row = await requireAccount(database, positionals[0] ?? '');
    const account = await readAccount(database, system, row.id);
    await deleteAccount(database, row);
    print(io, values.json, account, `The account "${account.name}" is deleted, with its keys and its usage.\n`);
  };
};

const resetLink: Command = (args) => {
  const { values, positionals } = readArguments(args, options, 'EMAIL');
  return async ({ database, config, io, system }) => {
    const { createResetLink } = await import('../users/better-auth.ts');
    const link = await createResetLink(config, database, system, positionals[0] ?? '');
    print(io, values.json, { link }, `${link}\n\nThe link works once and is valid for one hour.\n`);
    if (config.users.publicUrl !== undefined) return;
    const used = `PUBLIC_URL is not set, so the link uses HOST and PORT: ${new URL(link).origin}.`;
    io.stderr.write(`${used} If users reach the service at another address, set PUBLIC_URL to it.\n`);
  };
};

const restore: Command = (args) => {
  const { values, positionals } = readArguments(args, options, 'FILE');
  return async ({ database, io }) => {
    const [file = ''] = positionals;
    const rows = await restoreBackup(file, database);
    const lines = Object.entries(rows).map(([name, count]) => `${name.padEnd(14)} ${count}\n`);
    print(io, values.json, rows, `Copied ${file}. The rows were compared:\n\n${lines.join('')}`);
  };
};

/** Runs `pastpaper accounts`. Returns its exit status. */
export const main = databaseCommand({
  list,
  show,
  plan,
  block,
  unblock,
  delete: remove,
  'reset-link': resetLink,
  restore,
});

function accountTable(accounts: readonly AccountWithUsage[]): string {
  return table(
    ['ACCOUNT', 'PLAN', 'STATE', 'ACTIVE KEYS', 'REQUESTS THIS MONTH', 'LAST USED (UTC)', 'CREATED (UTC)', 'ID'],
    accounts.map(({ id, name, plan, state, liveKeys, used, lastUsedAt, createdAt }) => [
      ...[name, plan, state, `${liveKeys}`, `${used ?? 'unknown'}`],
      ...[minute(lastUsedAt), minute(createdAt), id],
    ]),
  );
}

type AccountWithUsage = Omit<AccountListing, 'used'> & {
  /** Requests counted this month; null: Redis counts them and cannot be reached. */
  readonly used: number | null;
};

/** Adds the month's requests, where gateways count them in Redis. */
async function withUsage(
  { redis, logLevel }: Config,
  clock: Clock,
  accounts: readonly AccountListing[],
): Promise<readonly AccountWithUsage[]> {
  if (!redis) return accounts;
  const { openSharedUsage } = await import('../../limits/redis/shared-limits.ts');
  const { usage, close } = await openSharedUsage(redis, openLog(logLevel));
  const { month } = calendarOf(clock.now());
  const withCounts: AccountWithUsage[] = [];
  for (const account of accounts) {
    withCounts.push({ ...account, used: await usage.read(account.id, month).catch(() => null) });
  }
  await close();
  return withCounts;
}
