/** `pastpaper keys`: creates, lists and revokes keys. */
import { print, readArguments, UsageError } from '../../../build/command-line/command.ts';
import { minute, table } from '../../../build/command-line/table.ts';
import { defaultPlan } from '../../../build/release/plans.ts';
import { isName } from '../accounts.ts';
import { createKey, type KeyListing, listKeys, revokeKey } from '../keys.ts';
import { type Command, databaseCommand, requirePlan } from './command.ts';

const options = { json: { type: 'boolean', default: false }, account: { type: 'string' } } as const;

const create: Command = (args) => {
  const { values } = readArguments(args, {
    ...options,
    plan: { type: 'string' },
    expires: { type: 'string' },
    name: { type: 'string' },
  });
  const { account, plan, expires, name = '', json } = values;
  if (account === undefined || account.trim() === '')
    throw new UsageError('create requires --account NAME.');
  for (const [option, text] of Object.entries({ account, name }))
    if (text !== '' && !isName(text))
      throw new UsageError(`--${option} must be one line with a visible character.`);
  const lifetime = expires === undefined ? undefined : parseLifetime(expires);
  return async ({ database, config, io, system }) => {
    if (plan !== undefined) requirePlan(config.plans, plan);
    const fallbackPlan = defaultPlan(config.plans);
    const { apiKeyPrefix: prefix, maxKeysPerAccount: maxKeys } = config;
    const request = { account, plan, fallbackPlan, lifetime, name, prefix, maxKeys };
    const created = await createKey(database, system, request);
    const { id, key, plan: ofKey, expiresAt } = created;
    const facts = `Id: ${id}. Account: ${account}. Plan: ${ofKey}. Expires: ${expiresAt ?? 'never'}.`;
    const text = `${key}\n\nThe key is not shown again.\n${facts}\n`;
    print(io, json, { id, key, account, plan: ofKey, expiresAt }, text);
  };
};

const list: Command = (args) => {
  const {
    account,
    json,
    page: number,
  } = readArguments(args, { ...options, page: { type: 'string' } }).values;
  const page = number === undefined ? 1 : parsePage(number);
  return async ({ database, io, system }) => {
    const { keys, hasMore } = await listKeys(database, system, account, page);
    const none = page === 1 ? 'There are no keys.\n' : 'There are no more keys.\n';
    print(io, json, keys, keys.length === 0 ? none : keyTable(keys));
    if (!hasMore) return;
    const ofAccount = account === undefined ? '' : ` --account ${JSON.stringify(account)}`;
    // On stderr, because stdout may be JSON.
    io.stderr.write(
      `There are more keys. To list them, run npx pastpaper keys list${ofAccount} --page ${page + 1}.\n`,
    );
  };
};

const revoke: Command = (args) => {
  const { values, positionals } = readArguments(args, { json: options.json }, 'ID');
  return async ({ database, io, system }) => {
    const key = await revokeKey(database, system, positionals[0] ?? '');
    print(io, values.json, key, keyTable([key]));
  };
};

/** Runs `pastpaper keys`. Returns its exit status. */
export const main = databaseCommand({ create, list, revoke });

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
/** Days. */
const maxLifetime = 36_500;

/** @returns milliseconds */
function parseLifetime(text: string): number {
  const match = /^(\d{1,10})([smhd])$/.exec(text);
  const seconds = match ? Number(match[1]) * units[match[2] as keyof typeof units] : 0;
  if (seconds > 0 && seconds <= maxLifetime * units.d) return seconds * 1000;
  throw new UsageError(
    `--expires must be a whole number with s, m, h or d, for example 30d, not "${text}".`,
  );
}

function parsePage(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--page must be a whole number from 1, not "${text}".`);
}

/** A table of keys, without their secrets. */
function keyTable(keys: readonly KeyListing[]): string {
  return table(
    [
      'KEY',
      'NAME',
      'STATE',
      'ACCOUNT',
      'PLAN',
      'LAST USED (UTC)',
      'EXPIRES (UTC)',
      'CREATED (UTC)',
      'ID',
    ],
    keys.map(({ id, name, start, state, account, plan, lastUsedAt, expiresAt, createdAt }) => [
      ...[`${start}...`, name, state, account, plan],
      ...[minute(lastUsedAt), minute(expiresAt), minute(createdAt), id],
    ]),
  );
}
