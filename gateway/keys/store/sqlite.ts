import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Driver, Kysely, Migrator, type SqliteDatabase, SqliteDialect, SqliteDriver } from 'kysely';
import Sqlite from 'libsql';
import { makeFolder } from '../../../build/release/make-folder.ts';
import { migrations } from './migrations.ts';
import type { Database } from './tables.ts';

/** Milliseconds to wait at the start for another process that is writing. */
const startTimeout = 5000;

/**
 * Opens a SQLite file, and makes it where it is missing. Only its owner can read it.
 *
 * @param busyTimeout milliseconds that a statement waits for another process that is writing
 * @throws SQLite's or the file system's own error
 */
export async function openSqlite(file: string, busyTimeout: number): Promise<Database> {
  await makeFolder(dirname(file), 0o700);
  const sqlite = new Sqlite(file);
  sqlite.pragma(`busy_timeout = ${startTimeout}`);
  // The bundled SQLite may lose writes of a second process in WAL mode (fixed in 3.51.3).
  sqlite.pragma('journal_mode = DELETE');
  sqlite.pragma('foreign_keys = ON');
  await chmod(file, 0o600);
  const database: Database = new Kysely({ dialect: new ImmediateDialect(sqlite) });
  await migrate(sqlite, database);
  sqlite.pragma(`busy_timeout = ${busyTimeout}`);
  return database;
}

/** In one transaction, so that of several processes that start at once one does it and the others wait. */
async function migrate(sqlite: Sqlite.Database, database: Database): Promise<void> {
  const provider = { getMigrations: async () => migrations };
  sqlite.exec('begin immediate');
  // Written at each start, so that a file that cannot be written is found now and not at the first count.
  sqlite.pragma('user_version = 1');
  const { error } = await new Migrator({
    db: database,
    provider,
    disableTransactions: true,
  }).migrateToLatest();
  if (error) throw error;
  sqlite.exec('commit');
}

/**
 * Transactions that take the write lock when they begin: then only their beginning can find the database
 * locked. A statement of libsql that fails on a lock later keeps its own until it is garbage.
 */
class ImmediateDialect extends SqliteDialect {
  readonly #sqlite: Sqlite.Database;

  constructor(sqlite: Sqlite.Database) {
    super({ database: sqlite as SqliteDatabase });
    this.#sqlite = sqlite;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#sqlite);
  }
}

class ImmediateDriver extends SqliteDriver {
  readonly #sqlite: Sqlite.Database;

  constructor(sqlite: Sqlite.Database) {
    super({ database: sqlite as SqliteDatabase });
    this.#sqlite = sqlite;
  }

  override async beginTransaction(): Promise<void> {
    this.#sqlite.exec('begin immediate');
  }

  override async commitTransaction(): Promise<void> {
    this.#sqlite.exec('commit');
  }

  override async rollbackTransaction(): Promise<void> {
    // SQLite has rolled back by itself after some errors, a full disk among them.
    if (this.#sqlite.inTransaction) this.#sqlite.exec('rollback');
  }
}
