import type { KeyUsage, UsageBatch, UsageEntry, UsageLedger, UsageReader, UsageTotal } from '../limits/store.ts';
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
      .where((row) => row.and({ account, month }))
      .executeTakeFirst();
    return row?.used ?? 0;
  }

  readKeys(account: string, month: string): Promise<KeyUsage[]> {
    return this.#database
      .selectFrom('keyUsage')
      .select(['day', 'key', 'used', 'rejectedByRate', 'rejectedByQuota'])
      .where('account', '=', account)
      .where((row) => row.between('day', `${month}-01`, `${month}-31`))
      .orderBy('day')
      .orderBy('key')
      .execute();
  }

  add({ id, at, entries }: UsageBatch): Promise<readonly UsageTotal[]> {
    // Sorted in every process, so that two never wait for each other's rows.
    const sorted = entries.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
    return this.#database.transaction().execute(async (transaction) => {
      const isNew = await insertBatch(transaction, id, at);
      const totals: UsageTotal[] = [];
      for (const entry of sorted) totals.push(await addEntry(transaction, isNew ? entry : { ...entry, ...none }));
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

const none = { used: 0, rejectedByRate: 0, rejectedByQuota: 0 };

function sortKey({ account, day, key }: UsageEntry): string {
  return `${account} ${day} ${key}`;
}

/** Adds requests to the usage of a key and of the account. The account is first: its row locks those of its keys. */
async function addEntry(database: Database, entry: UsageEntry): Promise<UsageTotal> {
  const { account, day, used } = entry;
  const total = await database
    .insertInto('usage')
    .values({ account, month: day.slice(0, 'YYYY-MM'.length), used })
    .onConflict((conflict) =>
      conflict.columns(['account', 'month']).doUpdateSet((set) => ({ used: set('usage.used', '+', used) })),
    )
    .returning(['account', 'month', 'used'])
    .executeTakeFirstOrThrow();
  await database
    .insertInto('keyUsage')
    .values(entry)
    .onConflict((conflict) =>
      conflict
        .columns(['account', 'day', 'key'])
        .doUpdateSet((set) => ({
          used: set('keyUsage.used', '+', used),
          rejectedByRate: set('keyUsage.rejectedByRate', '+', entry.rejectedByRate),
          rejectedByQuota: set('keyUsage.rejectedByQuota', '+', entry.rejectedByQuota),
        })),
    )
    .execute();
  return total;
}
