/** The Lua scripts that Redis runs atomically, and the keys that they use. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Outcome } from '../decision.ts';
import type { UsageEntry } from '../store.ts';
import { type Ask, UnknownScript } from './client.ts';

/** A script, which Redis identifies by its SHA-1. */
export class Script {
  readonly #text: string;
  readonly #digest: string;

  constructor(text: string) {
    this.#text = text;
    this.#digest = hash('sha1', text, 'hex');
  }

  /** @throws RedisUnavailable */
  async run(
    ask: Ask,
    keys: readonly [string, ...string[]],
    args: readonly string[],
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await ask(keys[0], ['EVALSHA', this.#digest, ...rest]);
    } catch (error) {
      if (!(error instanceof UnknownScript)) throw error;
      return await ask(keys[0], ['EVAL', this.#text, ...rest]);
    }
  }
}

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** `take` decides on a request, `add` adds what was counted elsewhere. */
export const scripts = { take: new Script(textOf('take.lua')), add: new Script(textOf('add.lua')) };

export type Scripts = typeof scripts;

/** The prefix of an account's keys. The braces keep all of them in one slot of a cluster. */
function prefixOf(account: string): string {
  return `pastpaper:{${account}}`;
}

/** A list: when the account's last accepted requests arrived. */
export function recentName(account: string): string {
  return `${prefixOf(account)}:recent`;
}

/** A hash: what the account has used in a month, as `used`, and its `fieldName`s. @param month `YYYY-MM` */
export function monthName(account: string, month: string): string {
  return `${prefixOf(account)}:${month}`;
}

/** A field of that hash: the requests with a key on a day that had this outcome. `take.lua` makes the same name. */
export function fieldName({ day, key }: Pick<UsageEntry, 'day' | 'key'>, outcome: Outcome): string {
  return `${day} ${outcome} ${key}`;
}

/** Parses the name of a field. Those of earlier versions are only a day, and count the accepted requests. */
export function parseField(
  name: string,
): { day: string; outcome: Outcome; key: string } | undefined {
  const [, day, outcome = 'used', key = ''] =
    /^(\d{4}-\d\d-\d\d)(?: (\w+) (.*))?$/s.exec(name) ?? [];
  return day === undefined ? undefined : { day, outcome: outcome as Outcome, key };
}

/** A string that exists once the counts of a key on a day have been merged from a batch. */
export function markName({ account, day, key }: UsageEntry, batch: string): string {
  return `${prefixOf(account)}:${day}:${batch}${key === '' ? '' : `:${key}`}`;
}

/** A string that is written to find out whether a primary accepts writes. @param tag a hash tag whose keys it serves */
export function probeName(tag: string): string {
  return `${prefixOf(tag)}:probe`;
}

/** Seconds until a month expires: more than a year, for the history. */
export const monthAge = 400 * 86_400;

/** Seconds until a mark expires: longer than any outage during which a batch is retried. */
export const markAge = 7 * 86_400;
