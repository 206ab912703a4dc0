import type { UsageEntry, UsageLedger } from '../limits/in-process.ts';
import type { Database } from './database.ts';

/** Usage kept in the database. Counts are added, not set, so that several processes can keep theirs in one. */
export class StoredUsage implements UsageLedger {
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

  add(entries: readonly UsageEntry[]): Promise<readonly UsageEntry[]> {
    return this.#database.transaction().execute(async (transaction) => {
      const totals: UsageEntry[] = [];
      for (const { account, month, count } of entries) {
        const { used } = await transaction
          .insertInto('usage')
          .values({ account, month, used: count })
          .onConflict((conflict) =>
            conflict
              .columns(['account', 'month'])
              .doUpdateSet((set) => ({ used: set('usage.used', '+', count) })),
          )
          .returning('used')
          .executeTakeFirstOrThrow();
        totals.push({ account, month, count: used });
      }
      return totals;
    });
  }
}
