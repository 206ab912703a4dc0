import type { UsageBatch, UsageEntry, UsageLedger, UsageTotal } from '../ledger.ts';
import type { Ask } from './link.ts';
import { markAge, markName, monthAge, monthName } from './names.ts';
import { readUsed } from './redis-usage.ts';
import type { Script } from './scripts.ts';
import type { SeenTotals } from './seen-totals.ts';

/** Entries sent in one go: Redis is done with them long before the patience with it is over. */
const entriesAtOnce = 500;

/** What a replica counted by itself, merged into what Redis counts for all. */
export class RedisLedger implements UsageLedger {
  readonly #ask: Ask;
  readonly #script: Script;
  readonly #seen: SeenTotals;

  /** @param script add.lua */
  constructor(ask: Ask, script: Script, seen: SeenTotals) {
    this.#ask = ask;
    this.#script = script;
    this.#seen = seen;
  }

  /** While Redis is away: what it last said. */
  async read(account: string, month: string): Promise<number> {
    const seen = this.#seen.of(monthName(account, month));
    return Math.max(seen, await readUsed(this.#ask, account, month).catch(() => 0));
  }

  /**
   * Each entry bears a mark of its own, so that a batch of which a part arrived can come again as it is.
   *
   * @throws RedisAway
   */
  async add({ id, entries }: UsageBatch): Promise<readonly UsageTotal[]> {
    const totals: UsageTotal[] = [];
    for (let start = 0; start < entries.length; start += entriesAtOnce) {
      const some = entries.slice(start, start + entriesAtOnce);
      totals.push(...(await Promise.all(some.map((entry) => this.#addEntry(id, entry)))));
    }
    return totals;
  }

  async #addEntry(batch: string, { account, day, count }: UsageEntry): Promise<UsageTotal> {
    const month = day.slice(0, 'YYYY-MM'.length);
    const name = monthName(account, month);
    const args = [day, count, this.#seen.of(name), markAge, monthAge].map(String);
    const used = Number(await this.#script.run(this.#ask, [markName(account, day, batch), name], args));
    this.#seen.see(name, used);
    return { account, month, used };
  }
}
