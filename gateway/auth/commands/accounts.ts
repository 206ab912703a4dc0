/** `npm run accounts`: the operator's way to list accounts, change their plans, block them, and let people in. */
import { systemClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { gatewayUsage } from '../../usage.js';
import { type AccountListing, blockAccount, changePlan, listAccounts, unblockAccount } from '../accounts.ts';
import { resetLink } from '../service/people/reset-link.ts';
import { readArguments } from './arguments.ts';
import { type Command, type CommandIO, type ExitStatus, print, runCommand } from './command.ts';
import { requirePlan } from './require-plan.ts';
import { type ShownAccount, withUsage } from './shared-usage.ts';

const list: Command = (args) => {
  const { options } = readArguments('list', args, []);
  return async ({ database, config, io }) => {
    const accounts = await withUsage(config, await listAccounts(database, systemClock));
    const text = accounts.map((account) => `${describe(account)}\n`).join('');
    print(io, options.json, accounts, text === '' ? 'There are no accounts.\n' : text);
  };
};

const plan: Command = (args) => {
  const { words, options } = readArguments('plan', args, ['the name of an account', 'the name of a plan']);
  const [name = '', planName = ''] = words;
  return async ({ database, config, io }) => {
    requirePlan(config.plans, planName);
    await tell(io, options.json, config, await changePlan(database, systemClock, name, planName));
  };
};

const block: Command = (args) => {
  const { words, options } = readArguments('block', args, ['the name of an account']);
  return async ({ database, config, io }) => {
    await tell(io, options.json, config, await blockAccount(database, systemClock, words[0] ?? ''));
  };
};

const unblock: Command = (args) => {
  const { words, options } = readArguments('unblock', args, ['the name of an account']);
  return async ({ database, config, io }) => {
    await tell(io, options.json, config, await unblockAccount(database, systemClock, words[0] ?? ''));
  };
};

const reset: Command = (args) => {
  const { words, options } = readArguments('reset-link', args, ['an address']);
  return async ({ database, config, io }) => {
    const link = await resetLink(config, database, systemClock, words[0] ?? '');
    print(io, options.json, { link }, `${link}\n\nIt works once, within an hour.\n`);
  };
};

async function tell(io: CommandIO, json: boolean, config: Config, listing: AccountListing): Promise<void> {
  for (const account of await withUsage(config, [listing]))
    print(io, json, account, `${describe(account)}\n`);
}

function describe({ id, name, plan, state, createdAt, liveKeys, used }: ShownAccount): string {
  const keys = liveKeys === 1 ? '1 key' : `${liveKeys} keys`;
  return `${id}  ${name} (${plan})  ${state}  ${keys}  ${used ?? '?'} requests this month  created ${createdAt}`;
}

const commands: Readonly<Record<string, Command>> = { list, plan, block, unblock, 'reset-link': reset };

/** Runs `npm run accounts`. Returns its exit status. */
export function main(args: readonly string[], io: CommandIO = process): Promise<ExitStatus> {
  return runCommand(commands, gatewayUsage['accounts'] ?? '', args, io);
}
