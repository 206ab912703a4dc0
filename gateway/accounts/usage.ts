import { type ExpressionBuilder, type OnConflictBuilder, sql } from 'kysely';
import { realSystem } from '../clock.ts';
import type { Config } from '../config.ts';
import {
  type MonthUsage,
  pageOf,
  pageSize,
  type UsageBatch,
  type UsageCounts,
  type UsageEntry,
  type UsageLedger,
  type UsageReader,
  type UsageTotal,
} from '../limits/store.ts';
import type { Log } from '../log/logger.ts';
import type { Database, Tables } from './store/tables.ts';

/** Milliseconds for which ids of batches are stored. */
const batchAge = 86_400_000;

/**
 * Usage in the database. Counts are added, not set, so that several processes can share it.
 *
 * @param ownsAccounts whether the accounts are in the same database: counts that come after a deletion are dropped
 */
export function storedUsage(database: Database, ownsAccounts = false): UsageLedger & UsageReader {
  return {
    async read(account: string, month: string): Promise<number> {
      const row = await database
        .selectFrom('usage')
        .select('used')
        .where((row) => row.and({ account, month }))
        .executeTakeFirst();
      return row?.used ?? 0;
    },

    async readMonth(account: string, month: string, page = 1): Promise<MonthUsage> {
      const inMonth = database
        .selectFrom('keyUsage')
        .select(sums)
        .where('account', '=', account)
        .where((row) => row.between('day', `${month}-01`, `${month}-31`));
      const days = await inMonth.select('day').groupBy('day').orderBy('day').execute();
      const keys = await inMonth
        .select('key')
        .groupBy('key')
        .orderBy(sql.ref('used'), 'desc')
        .orderBy('key')
        .offset((page - 1) * pageSize)
        .limit(pageSize + 1)
        .execute();
      const { rows, hasMore } = pageOf(keys);
      return { days, keys: rows, hasMore };
    },

    add({ id, at, entries }: UsageBatch): Promise<UsageTotal[]> {
      // Sorted in every process, so that two never wait for each other's rows.
      const sorted = entries.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
      return database.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('usageBatches')
          .where('at', '<', at - batchAge)
          .execute();
        const inserted = await transaction
          .insertInto('usageBatches')
          .values({ id, at })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .execute();
        // Otherwise it was written before, and only the response was lost.
        const isNew = inserted.length > 0;
        const accounts = ownsAccounts ? await existingAccounts(transaction, sorted) : undefined;
        const totals: UsageTotal[] = [];
        for (const entry of sorted) {
          if (accounts && !accounts.has(entry.account)) continue;
          totals.push(await addEntry(transaction, isNew ? entry : { ...entry, ...none }));
        }
        return totals;
      });
    },
  };
}

/** Usage for the dashboard and commands: where gateways count it in Redis, from there. @param stored in the database */
export async function openUsageReader({ redis }: Config, stored: UsageReader, log: Log) {
  if (!redis) return { usage: stored, close: async () => {} };
  const { openRedis } = await import('../limits/redis.ts');
  return openRedis({ location: redis, clock: realSystem, log });
}

/** The sums of counts. PostgreSQL sums to a type that is text in JavaScript. */
export function sums(row: ExpressionBuilder<Tables, 'keyUsage'>) {
  const sum = (name: keyof UsageCounts) => row.cast<number>(row.fn.sum(name), 'bigint').as(name);
  return [sum('used'), sum('rejectedByRate'), sum('rejectedByQuota')];
}

/** The ids of entries' accounts that were not deleted. */
async function existingAccounts(database: Database, entries: readonly UsageEntry[]) {
  const accounts = [...new Set(entries.map(({ account }) => account))];
  const rows = await database
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', accounts)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

const none = { used: 0, rejectedByRate: 0, rejectedByQuota: 0 };

function sortKey({ account, day, key }: UsageEntry): string {
  return `${account} ${day} ${key}`;
}

/** Adds requests to the usage of a key and of the account. The account is first: its row locks those of its keys. */
async function addEntry(database: Database, entry: UsageEntry): Promise<UsageTotal> {
  const { account, day, used } = entry;
  const month = day.slice(0, 'YYYY-MM'.length);
  const total = await database
    .insertInto('usage')
    .values({ account, month, used })
    .onConflict((conflict) =>
      conflict
        .columns(['account', 'month'])
        .doUpdateSet((set) => ({ used: set('usage.used', '+', used) })),
    )
    .returning(['account', 'month', 'used'])
    .executeTakeFirstOrThrow();
  await database.insertInto('keyUsage').values(entry).onConflict(addCounts).execute();
  return total;
}

/** Adds counts to those of the same account, day and key. */
export function addCounts(conflict: OnConflictBuilder<Tables, 'keyUsage'>) {
  return conflict.columns(['account', 'day', 'key']).doUpdateSet((set) => {
    const sum = (name: keyof UsageCounts) =>
      set(`keyUsage.${name}`, '+', set.ref(`excluded.${name}`));
    return {
      used: sum('used'),
      rejectedByRate: sum('rejectedByRate'),
      rejectedByQuota: sum('rejectedByQuota'),
    };
  });
}
