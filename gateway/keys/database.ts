import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Kysely, Migrator, type SqliteDatabase, SqliteDialect } from 'kysely';
import Sqlite from 'libsql';
import { makeFolder } from '../../build/release/make-folder.ts';
import { migrations, type Tables } from './tables.ts';

export type Database = Kysely<Tables>;

/** The database cannot be used. The message says which file, and what is wrong with it. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** Milliseconds to wait for another process that is writing. */
const busyTimeout = 5000;

/**
 * Opens the SQLite file with accounts, keys and usage, makes it where it is missing, and brings its
 * tables up to date. Only its owner can read it.
 *
 * @throws StorageError
 */
export async function openDatabase(file: string): Promise<Database> {
  try {
    await makeFolder(dirname(file), 0o700);
    const sqlite = new Sqlite(file);
    // The bundled SQLite may lose writes of a second process in WAL mode (fixed in 3.51.3).
    sqlite.pragma('journal_mode = DELETE');
    sqlite.pragma(`busy_timeout = ${busyTimeout}`);
    sqlite.pragma('foreign_keys = ON');
    await chmod(file, 0o600);
    const database: Database = new Kysely({
      dialect: new SqliteDialect({ database: sqlite as SqliteDatabase }),
    });
    await migrate(database);
    return database;
  } catch (error) {
    throw new StorageError(`The database ${file} cannot be used: ${(error as Error).message}`);
  }
}

async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
