import type {
  UsageBatch,
  UsageDay,
  UsageEntry,
  UsageLedger,
  UsageReader,
  UsageTotal,
} from '../limits/store.ts';
import type { Database } from './store/tables.ts';

/** Milliseconds for which ids of batches are stored. */
const batchAge = 86_400_000;

/** Usage in the database. Counts are added, not set, so that several processes can share it. */
export class StoredUsage implements UsageLedger, UsageReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async read(account: string, month: string): Promise<number> {
    const row = await this.#database
      .selectFrom('usage')
      .select('used')
      .where('account', '=', account)
      .where('month', '=', month)
      .executeTakeFirst();
    return row?.used ?? 0;
  }

  readDays(account: string, month: string): Promise<UsageDay[]> {
    return this.#database
      .selectFrom('dailyUsage')
      .select(['day', 'used'])
      .where('account', '=', account)
      .where('day', '>=', `${month}-01`)
      .where('day', '<=', `${month}-31`)
      .orderBy('day')
      .execute();
  }

  add({ id, at, entries }: UsageBatch): Promise<readonly UsageTotal[]> {
    // Sorted in every process, so that two never wait for each other's rows.
    const sorted = [...entries].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
    return this.#database.transaction().execute(async (transaction) => {
      const isNew = await insertBatch(transaction, id, at);
      const totals: UsageTotal[] = [];
      for (const entry of sorted) totals.push(await addEntry(transaction, entry, isNew ? entry.count : 0));
      return totals;
    });
  }
}

/** @returns false when the batch was written before, and only the response was lost */
async function insertBatch(database: Database, id: string, at: number): Promise<boolean> {
  await database
    .deleteFrom('usageBatches')
    .where('at', '<', at - batchAge)
    .execute();
  const inserted = await database
    .insertInto('usageBatches')
    .values({ id, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return inserted.length > 0;
}

function sortKey({ account, day }: UsageEntry): string {
  return `${account} ${day}`;
}

/** Adds requests to the day and the month of an entry. */
async function addEntry(database: Database, { account, day }: UsageEntry, used: number): Promise<UsageTotal> {
  await database
    .insertInto('dailyUsage')
    .values({ account, day, used })
    .onConflict((conflict) =>
      conflict
        .columns(['account', 'day'])
        .doUpdateSet((set) => ({ used: set('dailyUsage.used', '+', used) })),
    )
    .execute();
  return database
    .insertInto('usage')
    .values({ account, month: day.slice(0, 'YYYY-MM'.length), used })
    .onConflict((conflict) =>
      conflict.columns(['account', 'month']).doUpdateSet((set) => ({ used: set('usage.used', '+', used) })),
    )
    .returning(['account', 'month', 'used'])
    .executeTakeFirstOrThrow();
}
