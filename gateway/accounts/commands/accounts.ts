/** `pastpaper accounts`: lists, changes and deletes accounts, and creates links that set a new password. */
import { print, readArguments, UsageError } from '../../../build/command-line/command.ts';
import { minute, table } from '../../../build/command-line/table.ts';
import { calendarOf, monthPattern } from '../../limits/decision.ts';
import type { UsageReader } from '../../limits/store.ts';
import { openLog } from '../../log/logger.ts';
import {
  type AccountListing,
  changeAccount,
  deleteAccount,
  listAccounts,
  RequestError,
  requireAccount,
} from '../accounts.ts';
import { openUsageReader, storedUsage } from '../usage.ts';
import { restoreBackup } from './backup.ts';
import { type Command, type CommandContext, databaseCommand, requirePlan } from './command.ts';

const options = { json: { type: 'boolean', default: false } } as const;

/** A command that prints a value as JSON, or its text. */
function printing(
  parameters: readonly string[],
  run: (
    context: CommandContext,
    ...args: readonly string[]
  ) => Promise<readonly [value: unknown, text: string]>,
): Command {
  return (args) => {
    const { values, positionals } = readArguments(args, options, ...parameters);
    return async (context) =>
      print(context.io, values.json, ...(await run(context, ...positionals)));
  };
}

const list = printing([], async (context) => {
  const accounts = await withUsage(context, await listAccounts(context.database, context.system));
  return [accounts, accounts.length === 0 ? 'There are no accounts.\n' : accountTable(accounts)];
});

const usageColumns = [
  'account',
  'id',
  'plan',
  'day',
  'used',
  'rejectedByRate',
  'rejectedByQuota',
] as const;

const usage = printing(
  ['[MONTH]'],
  async (context, month = calendarOf(context.system.now()).month) => {
    if (!monthPattern.test(month))
      throw new UsageError(`MONTH must have the form YYYY-MM, such as 2026-11, not "${month}".`);
    const rows = await readUsage(context, async (usage) => {
      const days = [];
      for (const { id, name: account, plan } of await listAccounts(
        context.database,
        context.system,
      ))
        for (const day of (await usage.readMonth(id, month)).days)
          days.push({ account, id, plan, ...day });
      return days;
    });
    // Spreadsheets would run a name that begins like a formula.
    const quoted = (name: string) =>
      `"${name.replace(/^[=+@\t\r-]/, "'$&").replaceAll('"', '""')}"`;
    const cells = rows.map((row) => ({ ...row, account: quoted(row.account) }));
    const lines = cells.map((row) => usageColumns.map((column) => row[column]).join());
    return [rows, [usageColumns.join(), ...lines, ''].join('\n')];
  },
);

/**
 * A command that changes an account and prints it. Its first argument is the account's name.
 *
 * @param changesOf returns what to change
 */
function changing(
  changesOf: (context: CommandContext, planName: string) => Parameters<typeof changeAccount>[2],
  ...parameters: readonly string[]
): Command {
  return printing(['NAME', ...parameters], async (context, name = '', planName = '') => {
    const { database, system } = context;
    const id = await changeAccount(database, name, changesOf(context, planName));
    const changed = await withUsage(context, await listAccounts(database, system, id));
    if (changed.length === 0)
      throw new RequestError(`The account "${name}" was deleted meanwhile.`);
    return [changed[0], accountTable(changed)];
  });
}

const plan = changing(({ config }, planName) => {
  requirePlan(config.plans, planName);
  return { plan: planName };
}, 'PLAN');

const block = changing(({ system }) => ({ blockedAt: system.now() }));

const unblock = changing(() => ({ blockedAt: null }));

const remove = printing(['NAME'], async ({ database, system }, name = '') => {
  const row = await requireAccount(database, name);
  const [account] = await listAccounts(database, system, row.id);
  await deleteAccount(database, system, row);
  return [account, `The account "${name}" is deleted, with its keys and its usage.\n`];
});

const resetLink = printing(['EMAIL'], async ({ database, config, io, system }, email = '') => {
  const { createResetLink } = await import('../better-auth.ts');
  const link = await createResetLink(config, database, system, email);
  if (config.users.publicUrl === undefined) {
    const used = `PUBLIC_URL is not set, so the link uses HOST and PORT: ${new URL(link).origin}.`;
    io.stderr.write(
      `${used} If users reach the service at another address, set PUBLIC_URL to it.\n`,
    );
  }
  return [{ link }, `${link}\n\nThe link works once and is valid for one hour.\n`];
});

const restore = printing(['FILE'], async ({ database }, file = '') => {
  const rows = await restoreBackup(file, database);
  const lines = Object.entries(rows).map(([name, count]) => `${name.padEnd(14)} ${count}\n`);
  return [rows, `Copied ${file}. The rows were compared:\n\n${lines.join('')}`];
});

/** Runs `pastpaper accounts`. Returns its exit status. */
export const main = databaseCommand({
  list,
  plan,
  block,
  unblock,
  delete: remove,
  'reset-link': resetLink,
  restore,
  usage,
});

function accountTable(accounts: readonly AccountWithUsage[]): string {
  return table(
    [
      'ACCOUNT',
      'PLAN',
      'STATE',
      'ACTIVE KEYS',
      'REQUESTS THIS MONTH',
      'LAST USED (UTC)',
      'CREATED (UTC)',
      'ID',
    ],
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
  context: CommandContext,
  accounts: readonly AccountListing[],
): Promise<readonly AccountWithUsage[]> {
  if (!context.config.redis) return accounts;
  const { month } = calendarOf(context.system.now());
  return readUsage(context, async (usage) => {
    const withCounts: AccountWithUsage[] = [];
    for (const account of accounts)
      withCounts.push({ ...account, used: await usage.read(account.id, month).catch(() => null) });
    return withCounts;
  });
}

/** Reads usage from where gateways count it. */
async function readUsage<Read>(
  { config, database }: CommandContext,
  read: (usage: UsageReader) => Promise<Read>,
): Promise<Read> {
  const { usage, close } = await openUsageReader(
    config,
    storedUsage(database),
    openLog(config.logLevel),
  );
  return read(usage).finally(close);
}
