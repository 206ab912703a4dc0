/** Usage in Redis: read for the dashboard, and written by replicas that counted by themselves. */
import type { LRUCache } from 'lru-cache';
import type { UsageDay, UsageEntry, UsageLedger, UsageReader, UsageTotal } from '../store.ts';
import type { Ask } from './connection.ts';
import { markAge, markName, monthAge, monthName, type Script } from './scripts.ts';

/** The totals that Redis last returned, by `monthName`: they replace it while it is unavailable, or has lost its data. */
export type LastTotals = LRUCache<string, number>;

async function readUsed(ask: Ask, account: string, month: string): Promise<number> {
  return Number((await ask(['HGET', monthName(account, month), 'used'])) ?? 0);
}

export function redisUsage(ask: Ask): UsageReader {
  return {
    read: (account, month) => readUsed(ask, account, month),
    async readDays(account, month) {
      const fields = (await ask(['HGETALL', monthName(account, month)])) as readonly string[];
      const days: UsageDay[] = [];
      for (let index = 0; index < fields.length; index += 2) {
        const [name = '', value] = fields.slice(index, index + 2);
        if (name !== 'used') days.push({ day: name, used: Number(value) });
      }
      return days.sort((one, other) => (one.day < other.day ? -1 : 1));
    },
  };
}

/** Entries sent at once: Redis is done with them long before the timeout. */
const entriesAtOnce = 500;

/**
 * Merges the counts of this replica into those of Redis.
 *
 * @param script add.lua
 */
export function redisLedger(ask: Ask, script: Script, totals: LastTotals): UsageLedger {
  async function addEntry(batch: string, { account, day, count }: UsageEntry): Promise<UsageTotal> {
    const month = day.slice(0, 'YYYY-MM'.length);
    const name = monthName(account, month);
    const args = [day, count, totals.get(name) ?? 0, markAge, monthAge].map(String);
    const used = Number(await script.run(ask, [markName(account, day, batch), name], args));
    totals.set(name, used);
    return { account, month, used };
  }

  return {
    /** While Redis is unavailable: the last total. */
    async read(account, month) {
      const last = totals.get(monthName(account, month)) ?? 0;
      return Math.max(last, await readUsed(ask, account, month).catch(() => 0));
    },
    /**
     * Marks each entry, so that a batch that arrived in part can be sent again.
     *
     * @throws RedisUnavailable
     */
    async add({ id, entries }) {
      const added: UsageTotal[] = [];
      for (let start = 0; start < entries.length; start += entriesAtOnce) {
        const chunk = entries.slice(start, start + entriesAtOnce);
        added.push(...(await Promise.all(chunk.map((entry) => addEntry(id, entry)))));
      }
      return added;
    },
  };
}
