import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, Migrator, sql } from 'kysely';

/** Run in the order of their names. A released migration never changes. */
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
  '2026-11-21-people': {
    async up(db) {
      await db.schema.alterTable('accounts').addColumn('userId', 'text').execute();
      await db.schema.alterTable('accounts').addColumn('blockedAt', 'bigint').execute();
      await db.schema.createIndex('accountOfUser').on('accounts').column('userId').unique().execute();
      await db.schema
        .alterTable('keys')
        .addColumn('name', 'text', (column) => column.notNull().defaultTo(''))
        .execute();
      await db.schema.alterTable('keys').addColumn('lastUsedAt', 'bigint').execute();
      await db.schema.alterTable('keys').addColumn('replacedBy', 'text').execute();
      await db.schema
        .createTable('dailyUsage')
        .addColumn('account', 'text', (column) => column.notNull())
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('used', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('usageOfDay', ['account', 'day'])
        .execute();
      await db.schema
        .createTable('usageBatches')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('usageBatchesByAge').on('usageBatches').column('at').execute();
      await createBetterAuthTables(db);
    },
  },
  '2026-11-23-attempts': {
    async up(db) {
      await db.schema
        .createTable('attempts')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('count', 'bigint', (column) => column.notNull())
        .addColumn('endsAt', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('attemptsByEnd').on('attempts').column('endsAt').execute();
    },
  },
  // `dailyUsage` stays: a process of an earlier version may still write it, and its counts are shown.
  '2026-11-23-usage-by-key': {
    async up(db) {
      await db.schema
        .createTable('keyUsage')
        .addColumn('account', 'text', (column) => column.notNull())
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('used', 'bigint', (column) => column.notNull())
        .addColumn('rejectedByRate', 'bigint', (column) => column.notNull())
        .addColumn('rejectedByQuota', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('usageOfKey', ['account', 'day', 'key'])
        .execute();
    },
  },
};

/**
 * Runs the migrations that the database does not have yet.
 *
 * @param disableTransactions if the caller has begun one
 * @throws the database's own error, or one that says that a newer version has migrated it
 */
export async function migrate<Tables>(db: Kysely<Tables>, disableTransactions = false): Promise<void> {
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db, provider, disableTransactions }).migrateToLatest();
  if (!error) return;
  const newer = newerThanThis(await readMigrations(db).catch(() => []));
  throw newer.length > 0 ? new Error(`${describeNewer(newer)} ${adviceForNewer}`) : error;
}

/** Reads the names of the migrations that a database has. */
export async function readMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const query = sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`;
  const { rows } = await query.execute(db);
  return rows.map(({ name }) => name);
}

/** @param done names of the migrations that a database has */
export function newerThanThis(done: readonly string[]): string[] {
  return done.filter((name) => !Object.hasOwn(migrations, name));
}

export function describeNewer(names: readonly string[]): string {
  return `This database was made by a newer version of Pastpaper (${names.join(', ')}).`;
}

export const adviceForNewer = 'Install that version, or restore a backup.';

/** The tables of better-auth 1.7, under names of this project. SQLite accepts its dates and booleans as they are. */
async function createBetterAuthTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('emailVerified', 'boolean', (column) => column.notNull())
    .addColumn('image', 'text')
    .addColumn('createdAt', 'timestamptz', (column) => column.notNull())
    .addColumn('updatedAt', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token', 'text', (column) => column.notNull().unique())
    .addColumn('expiresAt', 'timestamptz', (column) => column.notNull())
    .addColumn('ipAddress', 'text')
    .addColumn('userAgent', 'text')
    .addColumn('createdAt', 'timestamptz', (column) => column.notNull())
    .addColumn('updatedAt', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sessionsByEnd').on('sessions').column('expiresAt').execute();
  await db.schema.createIndex('sessionsOfUser').on('sessions').column('userId').execute();
  await db.schema
    .createTable('logins')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('providerId', 'text', (column) => column.notNull())
    .addColumn('accountId', 'text', (column) => column.notNull())
    .addColumn('password', 'text')
    .addColumn('accessToken', 'text')
    .addColumn('refreshToken', 'text')
    .addColumn('idToken', 'text')
    .addColumn('accessTokenExpiresAt', 'timestamptz')
    .addColumn('refreshTokenExpiresAt', 'timestamptz')
    .addColumn('scope', 'text')
    .addColumn('createdAt', 'timestamptz', (column) => column.notNull())
    .addColumn('updatedAt', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('loginsOfUser').on('logins').column('userId').execute();
  await db.schema
    .createTable('verifications')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('expiresAt', 'timestamptz', (column) => column.notNull())
    .addColumn('createdAt', 'timestamptz', (column) => column.notNull())
    .addColumn('updatedAt', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('verificationsByIdentifier').on('verifications').column('identifier').execute();
}
