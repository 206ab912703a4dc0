import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Ask, UnknownScript } from './link.ts';

/** A program that Redis runs as one step. It is known there by its digest. */
export class Script {
  readonly #text: string;
  readonly #digest: string;

  constructor(text: string) {
    this.#text = text;
    this.#digest = hash('sha1', text, 'hex');
  }

  /** Has Redis learn it. */
  load(ask: Ask): Promise<unknown> {
    return ask(['SCRIPT', 'LOAD', this.#text]);
  }

  /** @throws RedisAway */
  async run(ask: Ask, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await ask(['EVALSHA', this.#digest, ...rest]);
    } catch (error) {
      if (!(error instanceof UnknownScript)) throw error;
      // Someone had Redis forget its scripts.
      return await ask(['EVAL', this.#text, ...rest]);
    }
  }
}

/** What Redis runs for the limits. */
export interface Scripts {
  readonly take: Script;
  readonly add: Script;
}

/** Reads the scripts from take.lua and add.lua. */
export async function readScripts(): Promise<Scripts> {
  const read = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');
  return { take: new Script(await read('take.lua')), add: new Script(await read('add.lua')) };
}
