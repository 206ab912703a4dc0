/** Usage in Redis: read for the dashboard, and written by replicas that counted by themselves. */
import type { LRUCache } from 'lru-cache';
import type { Outcome } from '../decision.ts';
import type { KeyUsage, UsageEntry, UsageLedger, UsageReader, UsageTotal } from '../store.ts';
import type { Ask } from './client.ts';
import { fieldName, markAge, markName, monthAge, monthName, parseField, type Script } from './scripts.ts';

/**
 * The totals that Redis last returned, by `monthName`: they replace it while it is unavailable, or has lost its data.
 */
export type LastTotals = LRUCache<string, number>;

async function readUsed(ask: Ask, account: string, month: string): Promise<number> {
  const name = monthName(account, month);
  return Number((await ask(name, ['HGET', name, 'used'])) ?? 0);
}

export function redisUsage(ask: Ask): UsageReader {
  return {
    read: (account, month) => readUsed(ask, account, month),
    async readKeys(account, month) {
      const name = monthName(account, month);
      const fields = (await ask(name, ['HGETALL', name])) as readonly string[];
      const usage = new Map<string, KeyUsage & Record<Outcome, number>>();
      for (let index = 0; index < fields.length; index += 2) {
        const field = parseField(fields[index] ?? '');
        if (!field) continue;
        const { day, key, outcome } = field;
        const id = `${day} ${key}`;
        const counts = usage.get(id) ?? { day, key, used: 0, rejectedByRate: 0, rejectedByQuota: 0 };
        counts[outcome] += Number(fields[index + 1]);
        usage.set(id, counts);
      }
      return [...usage].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, counts]) => counts);
    },
  };
}

const outcomes = ['used', 'rejectedByRate', 'rejectedByQuota'] as const;

/** Entries sent at once: Redis is done with them long before the timeout. */
const entriesAtOnce = 500;

/**
 * Merges the counts of this replica into those of Redis.
 *
 * @param script add.lua
 */
export function redisLedger(ask: Ask, script: Script, totals: LastTotals): UsageLedger {
  async function addEntry(batch: string, entry: UsageEntry): Promise<UsageTotal> {
    const { account, day } = entry;
    const month = day.slice(0, 'YYYY-MM'.length);
    const name = monthName(account, month);
    const counted = outcomes.filter((outcome) => entry[outcome] > 0);
    const fields = counted.flatMap((outcome) => [fieldName(entry, outcome), entry[outcome]]);
    const args = [entry.used, totals.get(name) ?? 0, markAge, monthAge, ...fields].map(String);
    const used = Number(await script.run(ask, [markName(entry, batch), name], args));
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
