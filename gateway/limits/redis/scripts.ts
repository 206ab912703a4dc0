/** The Lua scripts that Redis runs atomically, and the keys that they use. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Ask, UnknownScript } from './connection.ts';

/** A script, which Redis identifies by its SHA-1. */
export class Script {
  readonly #text: string;
  readonly #digest: string;

  constructor(text: string) {
    this.#text = text;
    this.#digest = hash('sha1', text, 'hex');
  }

  load(ask: Ask): Promise<unknown> {
    return ask(['SCRIPT', 'LOAD', this.#text]);
  }

  /** @throws RedisUnavailable */
  async run(ask: Ask, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await ask(['EVALSHA', this.#digest, ...rest]);
    } catch (error) {
      if (!(error instanceof UnknownScript)) throw error;
      // The scripts were flushed.
      return await ask(['EVAL', this.#text, ...rest]);
    }
  }
}

export interface Scripts {
  /** Decides on a request. */
  readonly take: Script;
  /** Adds what was counted elsewhere. */
  readonly add: Script;
}

export const scripts: Scripts = { take: readScript('take.lua'), add: readScript('add.lua') };

function readScript(name: string): Script {
  return new Script(readFileSync(new URL(name, import.meta.url), 'utf8'));
}

/** The prefix of an account's keys. The braces keep all of them in one slot of a cluster. */
function prefixOf(account: string): string {
  return `pastpaper:{${account}}`;
}

/** A list: when the account's last accepted requests arrived. */
export function recentName(account: string): string {
  return `${prefixOf(account)}:recent`;
}

/**
 * A hash: what the account has used in a month, as `used`, and by day, as `YYYY-MM-DD`.
 *
 * @param month `YYYY-MM`
 */
export function monthName(account: string, month: string): string {
  return `${prefixOf(account)}:${month}`;
}

/** A string that exists once an account's counts of a day have been merged from a batch. */
export function markName(account: string, day: string, batch: string): string {
  return `${prefixOf(account)}:${day}:${batch}`;
}

/** A string that is written to find out whether Redis accepts writes. */
export const probeName = 'pastpaper:probe';

/** Seconds until a month expires: more than a year, for the history. */
export const monthAge = 400 * 86_400;

/** Seconds until a mark expires: longer than any outage during which a batch is retried. */
export const markAge = 7 * 86_400;
