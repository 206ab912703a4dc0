import type { Migration } from 'kysely';

/** The tables of the authentication service. Moments are milliseconds since 1970, UTC. */
export interface Tables {
  readonly accounts: AccountRow;
  readonly keys: KeyRow;
  readonly usage: UsageRow;
}

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: number;
}

export interface KeyRow {
  readonly id: string;
  readonly accountId: string;
  /** Hex SHA-256 of the key. */
  readonly hash: string;
  /** The key's first characters. */
  readonly start: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

/** Requests counted against the monthly quota. The account may be one of another service. */
export interface UsageRow {
  readonly account: string;
  /** `YYYY-MM` */
  readonly month: string;
  readonly used: number;
}

/** In order of their names; one that has run anywhere is never changed again. */
export const migrations: Record<string, Migration> = {
  '2026-11-21-accounts-keys-usage': {
    async up(db) {
      await db.schema
        .createTable('accounts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull().unique())
        .addColumn('plan', 'text', (column) => column.notNull())
        .addColumn('createdAt', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('keys')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('accountId', 'text', (column) => column.notNull().references('accounts.id'))
        .addColumn('hash', 'text', (column) => column.notNull().unique())
        .addColumn('start', 'text', (column) => column.notNull())
        .addColumn('createdAt', 'bigint', (column) => column.notNull())
        .addColumn('expiresAt', 'bigint')
        .addColumn('revokedAt', 'bigint')
        .execute();
      await db.schema.createIndex('keysOfAccount').on('keys').column('accountId').execute();
      await db.schema
        .createTable('usage')
        .addColumn('account', 'text', (column) => column.notNull())
        .addColumn('month', 'text', (column) => column.notNull())
        .addColumn('used', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('usageOfMonth', ['account', 'month'])
        .execute();
    },
  },
};
