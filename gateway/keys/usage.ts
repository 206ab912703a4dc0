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

  async add(entries: readonly UsageEntry[]): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      for (const { account, month, count } of entries) {
        await transaction
          .insertInto('usage')
          .values({ account, month, used: count })
          .onConflict((conflict) =>
            conflict
              .columns(['account', 'month'])
              .doUpdateSet((set) => ({ used: set('usage.used', '+', count) })),
          )
          .execute();
      }
    });
  }
}
