/** `npm run accounts`: the operator's way to list accounts, change their plans, block them, and let people in. */
import { systemClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { type AccountListing, blockAccount, changePlan, listAccounts, unblockAccount } from '../accounts.ts';
import { resetLink } from '../service/people/reset-link.ts';
import { readArguments } from './arguments.ts';
import { type Command, print, runCommand } from './command.ts';
import { requirePlan } from './require-plan.ts';
import { type ShownAccount, withUsage } from './shared-usage.ts';

const usage = `Usage:
  npm run accounts -- list [--json]
  npm run accounts -- plan NAME PLAN [--json]
  npm run accounts -- block NAME [--json]
  npm run accounts -- unblock NAME [--json]
  npm run accounts -- reset-link EMAIL [--json]

  plan         puts an account on another plan, from its next request on
  block        refuses its keys and its sign-in; unblock lets both in again
  reset-link   prints a link to set a new password, for one hour

npm run keys -- revoke --account NAME revokes all keys of an account for good.

Exit status: 0 fine, 1 the request cannot be met, 2 the command was used wrongly or could not run.
`;

const list: Command = (args) => {
  const { options } = readArguments('list', args, []);
  return async ({ database, config }) => {
    const accounts = await withUsage(config, await listAccounts(database, systemClock));
    const text = accounts.map((account) => `${describe(account)}\n`).join('');
    print(options.json, accounts, text === '' ? 'There are no accounts.\n' : text);
  };
};

const plan: Command = (args) => {
  const { words, options } = readArguments('plan', args, ['the name of an account', 'the name of a plan']);
  const [name = '', planName = ''] = words;
  return async ({ database, config }) => {
    requirePlan(config.plans, planName);
    await tell(options.json, config, await changePlan(database, systemClock, name, planName));
  };
};

const block: Command = (args) => {
  const { words, options } = readArguments('block', args, ['the name of an account']);
  return async ({ database, config }) => {
    await tell(options.json, config, await blockAccount(database, systemClock, words[0] ?? ''));
  };
};

const unblock: Command = (args) => {
  const { words, options } = readArguments('unblock', args, ['the name of an account']);
  return async ({ database, config }) => {
    await tell(options.json, config, await unblockAccount(database, systemClock, words[0] ?? ''));
  };
};

const reset: Command = (args) => {
  const { words, options } = readArguments('reset-link', args, ['an address']);
  return async ({ database, config }) => {
    const link = await resetLink(config, database, systemClock, words[0] ?? '');
    print(options.json, { link }, `${link}\n\nIt works once, within an hour.\n`);
  };
};

async function tell(json: boolean, config: Config, listing: AccountListing): Promise<void> {
  for (const account of await withUsage(config, [listing])) print(json, account, `${describe(account)}\n`);
}

function describe({ id, name, plan, state, createdAt, liveKeys, used }: ShownAccount): string {
  const keys = liveKeys === 1 ? '1 key' : `${liveKeys} keys`;
  return `${id}  ${name} (${plan})  ${state}  ${keys}  ${used ?? '?'} requests this month  created ${createdAt}`;
}

await runCommand({ list, plan, block, unblock, 'reset-link': reset }, usage);
