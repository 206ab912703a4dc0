import { join } from 'node:path';
import { requireAccount } from '../../gateway/accounts/accounts.ts';
import { createKey, revokeKey } from '../../gateway/accounts/keys.ts';
import { openDatabase } from '../../gateway/accounts/store/store.ts';
import type { Database } from '../../gateway/accounts/store/tables.ts';
import { realSystem } from '../../gateway/clock.ts';
import type { DatabaseLocation } from '../../gateway/config-values.ts';
import plans from '../gateway/plans.json' with { type: 'json' };

/** The plans of servers in tests. */
export { plans };

/** An account with one of its keys. */
export interface Account {
  readonly id: string;
  readonly key: string;
  readonly keyId: string;
}

/** Creates and revokes accounts and keys while the gateway runs, as `npm run keys` does. */
export class Accounts {
  readonly #database: Database;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** @param database of the gateway or the service, or its SQLite file */
  static async open(database: DatabaseLocation | string): Promise<Accounts> {
    const location =
      typeof database === 'string' ? ({ kind: 'sqlite', file: database } as const) : database;
    return new Accounts(await openDatabase(location));
  }

  /** Creates an account with a key, before a server with these settings starts. */
  static async createIn(
    settings: Readonly<Record<string, string>>,
    plan: string,
  ): Promise<Account> {
    const accounts = await Accounts.open(join(settings['DATA_DIR'] ?? '', 'pastpaper.db'));
    const account = await accounts.create(plan, plan);
    await accounts.close();
    return account;
  }

  /** Creates a key of an account, and the account if it does not exist. */
  async create(name: string, plan: string): Promise<Account> {
    const request = {
      account: name,
      plan,
      fallbackPlan: plan,
      lifetime: undefined,
      prefix: 'pfx_',
      maxKeys: 1000,
    };
    const { id: keyId, key } = await createKey(this.#database, realSystem, request);
    const { id } = await requireAccount(this.#database, name);
    return { id, key, keyId };
  }

  async revoke(keyId: string): Promise<void> {
    await revokeKey(this.#database, realSystem, keyId);
  }

  /** The usage of an account in the database, by month. */
  async counted(account: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#database
      .selectFrom('usage')
      .select(['month', 'used'])
      .where('account', '=', account)
      .execute();
    return new Map(rows.map(({ month, used }) => [month, used]));
  }

  async close(): Promise<void> {
    await this.#database.destroy();
  }
}
