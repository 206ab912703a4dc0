/** Usage in Redis: read for the dashboard, and written by replicas that counted by themselves. */
import type { LRUCache } from 'lru-cache';
import type { Outcome } from '../decision.ts';
import {
  pageOf,
  pageSize,
  type UsageEntry,
  type UsageLedger,
  type UsageReader,
  type UsageTotal,
} from '../store.ts';
import type { Ask } from './client.ts';
import {
  fieldName,
  markAge,
  markName,
  monthAge,
  monthName,
  parseField,
  type Script,
} from './scripts.ts';

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
    async readMonth(account, month, page = 1) {
      const days = new Map<string, Sum<{ day: string }>>();
      const keys = new Map<string, Sum<{ key: string }>>();
      for await (const [field, count] of scanHash(ask, monthName(account, month))) {
        const parsed = parseField(field);
        if (!parsed) continue;
        const { day, key, outcome } = parsed;
        for (const sum of [sumOf(days, day, { day }), sumOf(keys, key, { key })])
          sum[outcome] += count;
      }
      const sorted = [...keys.values()].sort(
        (one, other) => other.used - one.used || (one.key < other.key ? -1 : 1),
      );
      const { rows, hasMore } = pageOf(sorted.slice((page - 1) * pageSize, page * pageSize + 1));
      const inOrder = [...days.values()].sort((one, other) => (one.day < other.day ? -1 : 1));
      return { days: inOrder, keys: rows, hasMore };
    },
  };
}

type Sum<Of> = Of & Record<Outcome, number>;

/** The sums under a name, which begin at zero. */
function sumOf<Of>(sums: Map<string, Sum<Of>>, name: string, of: Of): Sum<Of> {
  const sum = sums.get(name) ?? { ...of, used: 0, rejectedByRate: 0, rejectedByQuota: 0 };
  sums.set(name, sum);
  return sum;
}

/** Fields that Redis returns at once, approximately. */
const fieldsPerScan = '1000';

/** Yields the fields of a hash and their numbers, without blocking Redis or this process for all of them. */
async function* scanHash(ask: Ask, name: string): AsyncGenerator<[field: string, count: number]> {
  // A scan may return a field twice.
  const seen = new Set<string>();
  let cursor = '0';
  do {
    const command = ['HSCAN', name, cursor, 'COUNT', fieldsPerScan];
    const [next, fields] = (await ask(name, command)) as [string, readonly string[]];
    cursor = next;
    for (let index = 0; index < fields.length; index += 2) {
      const field = fields[index] ?? '';
      if (!seen.has(field)) yield [field, Number(fields[index + 1])];
      seen.add(field);
    }
  } while (cursor !== '0');
}

const outcomes = ['used', 'rejectedByRate', 'rejectedByQuota'] as const;

/** Entries sent at once: Redis is done with them long before the timeout. */
const entriesAtOnce = 500;

/** Merges the counts of this replica into those of Redis. @param script add.lua */
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
    /** Marks each entry, so that a batch that arrived in part can be sent again. @throws RedisUnavailable */
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
