import type { UsageDay, UsageReader } from '../ledger.ts';
import type { Ask } from './link.ts';
import { monthName } from './names.ts';

/** Requests of an account counted in a month, `YYYY-MM`. */
export async function readUsed(ask: Ask, account: string, month: string): Promise<number> {
  return Number((await ask(['HGET', monthName(account, month), 'used'])) ?? 0);
}

/** What is counted in Redis, for people to look at. */
export class RedisUsage implements UsageReader {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  read(account: string, month: string): Promise<number> {
    return readUsed(this.#ask, account, month);
  }

  async readDays(account: string, month: string): Promise<UsageDay[]> {
    const fields = (await this.#ask(['HGETALL', monthName(account, month)])) as readonly string[];
    const days: UsageDay[] = [];
    for (let index = 0; index < fields.length; index += 2) {
      const [name = '', value] = fields.slice(index, index + 2);
      if (name !== 'used') days.push({ day: name, used: Number(value) });
    }
    return days.sort((one, other) => (one.day < other.day ? -1 : 1));
  }
}
