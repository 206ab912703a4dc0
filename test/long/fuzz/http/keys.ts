import { setTimeout as delay } from 'node:timers/promises';
import { blockAccount } from '../../../../gateway/auth/accounts.ts';
import { generateKey } from '../../../../gateway/auth/key-format.ts';
import { createKey, revokeKey } from '../../../../gateway/auth/keys.ts';
import { openDatabase } from '../../../../gateway/auth/store/store.ts';
import { systemClock } from '../../../../gateway/clock.ts';

/** Plans of the keys: `counted` is spent in every run, `roomy` in none. */
export const plans = {
  free: { perSecond: 2, perMonth: 1000 },
  counted: { perSecond: 100_000, perMonth: 40 },
  roomy: { perSecond: 1_000_000, perMonth: 1_000_000_000 },
} as const;

/** Keys in every state. All are as long as each other, so that bytes stand where they stood in another run. */
export interface Keys {
  readonly live: string;
  /** Of a plan whose rate is met at once. */
  readonly free: string;
  /** Of a plan with a quota that is counted. */
  readonly counted: string;
  readonly revoked: string;
  readonly expired: string;
  readonly blocked: string;
  readonly unknown: string;
  /** Its checksum is wrong. */
  readonly misspelt: string;
}

/** Those that open protected paths, if their plan has a request left. */
export const openingKeys = ['live', 'free', 'counted'] as const;

const prefix = 'pfx_';
/** Milliseconds that the expired key lives. */
const shortLife = 5;

/** Makes the keys in the database at a path, before a gateway opens it. */
export async function makeKeys(file: string): Promise<Keys> {
  const database = await openDatabase({ kind: 'sqlite', file }, 5000);
  const make = async (account: string, plan: keyof typeof plans, lifetime?: number) =>
    (await createKey(database, systemClock, { account, plan, fallbackPlan: plan, lifetime, prefix })).key;
  try {
    const live = await make('roomy', 'roomy');
    const revoked = await make('roomy', 'roomy');
    await revokeKey(database, systemClock, revoked);
    const blocked = await make('blocked', 'roomy');
    await blockAccount(database, systemClock, 'blocked');
    const keys = {
      live,
      free: await make('free', 'free'),
      counted: await make('counted', 'counted'),
      revoked,
      expired: await make('roomy', 'roomy', shortLife),
      blocked,
      unknown: generateKey(prefix),
      misspelt: `${live.slice(0, -1)}${live.endsWith('0') ? '1' : '0'}`,
    };
    await delay(shortLife);
    return keys;
  } finally {
    await database.destroy();
  }
}

/** Bytes with the keys by their names, to be read and kept: `{{live}}`. */
export function withNames(bytes: string, keys: Keys): string {
  return Object.entries(keys).reduce((text, [name, key]) => text.replaceAll(key, `{{${name}}}`), bytes);
}

/** Bytes with the keys in the place of their names. */
export function withKeys(text: string, keys: Keys): string {
  return Object.entries(keys).reduce((bytes, [name, key]) => bytes.replaceAll(`{{${name}}}`, key), text);
}
