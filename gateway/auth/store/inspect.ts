import { DEFAULT_MIGRATION_TABLE, sql } from 'kysely';
import type { Plans } from '../../../build/release/plans.ts';
import type { DatabaseLocation } from '../../config-values.ts';
import { migrations, newerThanThis, readMigrations } from './migrations.ts';
import { orStorageError } from './store.ts';
import type { Database } from './tables.ts';

export interface DatabaseState {
  /** Names of the migrations that the next start runs. */
  readonly pending: readonly string[];
  /** Names of migrations by a newer version of the program. */
  readonly unknown: readonly string[];
  /** Plans that accounts are on. */
  readonly plans: readonly string[];
  /** Milliseconds by which its clock is ahead of this process's; undefined for SQLite. */
  readonly ahead: number | undefined;
}

/**
 * Reads the state of the database without changing it.
 *
 * @returns undefined if the file does not exist yet
 * @throws StorageError when the database cannot be read or written
 */
export function inspectDatabase(location: DatabaseLocation): Promise<DatabaseState | undefined> {
  return orStorageError(location, async () => {
    const database = await openExisting(location);
    if (!database) return undefined;
    try {
      const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
      const hasTable = (name: string) => tables.some((table) => table.name === name);
      const done = hasTable(DEFAULT_MIGRATION_TABLE) ? await readMigrations(database) : [];
      return {
        pending: Object.keys(migrations).filter((name) => !done.includes(name)),
        unknown: newerThanThis(done),
        plans: hasTable('accounts') ? await plansInUse(database) : [],
        ahead: location.kind === 'postgres' ? await postgresAhead(database) : undefined,
      };
    } finally {
      await database.destroy();
    }
  });
}

async function openExisting(location: DatabaseLocation): Promise<Database | undefined> {
  if (location.kind === 'postgres')
    return (await import('./postgres.ts')).connectPostgres(location);
  const { openSqliteReadOnly } = await import('./sqlite.ts');
  return openSqliteReadOnly(location.file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/** The plans among `used` that are not configured, in quotation marks. */
export function unknownPlans(used: readonly string[], plans: Plans): string[] {
  return used.filter((plan) => !Object.hasOwn(plans, plan)).map((plan) => `"${plan}"`);
}

/** Lists the plans that accounts are on. */
export async function plansInUse(database: Database): Promise<string[]> {
  const rows = await database
    .selectFrom('accounts')
    .select('plan')
    .distinct()
    .orderBy('plan')
    .execute();
  return rows.map(({ plan }) => plan);
}

/** Compares with this process's clock halfway between query and response. */
async function postgresAhead(database: Database): Promise<number> {
  const query = sql<{
    now: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
  const sentAt = Date.now();
  const { rows } = await query.execute(database);
  return (rows[0]?.now ?? sentAt) - (sentAt + Date.now()) / 2;
}
