import { stat } from 'node:fs/promises';
import { DEFAULT_MIGRATION_TABLE, sql } from 'kysely';
import { plansInUse } from './accounts.ts';
import { orStorageError } from './store/database.ts';
import type { DatabaseLocation } from './store/location.ts';
import { migrations } from './store/migrations.ts';
import type { Database } from './store/tables.ts';

/** Milliseconds that a statement of SQLite waits for another process that is writing. */
const patience = 2000;

/** How a database stands. */
export interface DatabaseState {
  /** Changes to its tables that the next start makes, by name. */
  readonly pending: readonly string[];
  /** Those that a newer version of the program has made. */
  readonly unknown: readonly string[];
  /** The plans that accounts are on. */
  readonly plans: readonly string[];
  /** Milliseconds by which its clock is ahead of this process's; undefined where it has none of its own. */
  readonly ahead: number | undefined;
}

/**
 * Looks at the database with accounts, keys and usage, and changes nothing.
 *
 * @returns undefined where there is no file yet: the next start makes it
 * @throws StorageError when the database cannot be read or written
 */
export function lookAtDatabase(location: DatabaseLocation): Promise<DatabaseState | undefined> {
  return orStorageError(location, async () => {
    if (location.kind === 'postgres') {
      const { lookAtPostgres } = await import('./store/postgres.ts');
      return stateOf(lookAtPostgres(location.url), postgresAhead);
    }
    if (!(await isThere(location.file))) return undefined;
    const { lookAtSqlite } = await import('./store/sqlite.ts');
    return stateOf(await lookAtSqlite(location.file, patience), async () => undefined);
  });
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return false;
    },
  );
}

async function stateOf(
  database: Database,
  aheadOf: (database: Database) => Promise<number | undefined>,
): Promise<DatabaseState> {
  try {
    const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
    const hasTable = (name: string) => tables.some((table) => table.name === name);
    const done = hasTable(DEFAULT_MIGRATION_TABLE) ? await migrationsDone(database) : [];
    return {
      pending: Object.keys(migrations).filter((name) => !done.includes(name)),
      unknown: done.filter((name) => !Object.hasOwn(migrations, name)),
      plans: hasTable('accounts') ? await plansInUse(database) : [],
      ahead: await aheadOf(database),
    };
  } finally {
    await database.destroy();
  }
}

async function migrationsDone(database: Database): Promise<string[]> {
  const { rows } = await sql<{
    readonly name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(database);
  return rows.map(({ name }) => name);
}

/** Halfway between question and answer both clocks are read. */
async function postgresAhead(database: Database): Promise<number> {
  const asked = Date.now();
  const { rows } = await sql<{
    readonly now: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(database);
  return (rows[0]?.now ?? asked) - (asked + Date.now()) / 2;
}
