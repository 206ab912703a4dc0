import { access, chmod, constants, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Driver,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import Sqlite from 'libsql';
import AsyncSqlite from 'libsql/promise';
import { createFolder } from '../../../build/release/files.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { migrate } from './migrations.ts';
import { type AsyncConnection, SharedSqliteDriver, sqliteDataVersion } from './sqlite-drivers.ts';
import type { Database, Store } from './tables.ts';

/** Milliseconds to wait at the start, or to copy the file, for another process that writes. */
const startTimeout = 5000;

/**
 * Opens a SQLite file that only its owner can read. Creates it if it is missing, and migrates its tables.
 *
 * @param lockTimeout milliseconds that a statement waits for another process that writes; the event loop keeps running
 * @throws SQLite's or the file system's own error
 */
export async function openSqlite(file: string, lockTimeout: number, clock: Clock = systemClock) {
  await createFolder(dirname(file), 0o700);
  const sqlite = new Sqlite(file);
  sqlite.pragma(`busy_timeout = ${startTimeout}`);
  // In WAL mode the bundled SQLite may lose writes of a second process (fixed in 3.51.3).
  sqlite.pragma('journal_mode = DELETE');
  sqlite.pragma('foreign_keys = ON');
  await chmod(file, 0o600);
  const dataVersion = sqliteDataVersion(file, clock);
  const database = withDriver(() => new SharedSqliteDriver(sqlite, lockTimeout, dataVersion));
  // In one transaction: of several processes that start at once, one migrates and the others wait.
  sqlite.exec('begin immediate');
  try {
    // Written at each start, so that a file that cannot be written fails now, and not with the first count.
    sqlite.pragma('user_version = 1');
    await migrate(database, true);
    sqlite.exec('commit');
  } catch (error) {
    if (sqlite.inTransaction) sqlite.exec('rollback');
    sqlite.close();
    throw error;
  }
  sqlite.pragma('busy_timeout = 0');
  return { database, dataVersion };
}

/**
 * Opens a SQLite file with a second connection for background writes, and with its data version.
 *
 * @throws SQLite's or the file system's own error
 */
export async function openSqliteStore(
  file: string,
  lockTimeout: number,
  clock: Clock,
): Promise<Store> {
  const { database, dataVersion } = await openSqlite(file, lockTimeout, clock);
  const connection = new AsyncSqlite(file, {}) as unknown as AsyncConnection;
  const background = withDriver(
    () => new SharedSqliteDriver(connection, lockTimeout, dataVersion, connection),
  );
  return {
    database,
    background,
    dataVersion,
    async close() {
      await background.destroy().finally(() => database.destroy());
      dataVersion.close();
    },
  };
}

/** Opens an existing SQLite file, and changes nothing. @throws SQLite's or the file system's own error */
export async function openSqliteReadOnly(file: string): Promise<Database> {
  const sqlite = await openExisting(file);
  sqlite.pragma('query_only = ON');
  return new Kysely({ dialect: new SqliteDialect({ database: sqlite as SqliteDatabase }) });
}

/**
 * Copies an existing SQLite file while other processes read and write it. Writers wait until it is read.
 *
 * @param copy the new file, which only its owner can read
 * @throws SQLite's or the file system's own error
 */
export async function copySqlite(file: string, copy: string): Promise<void> {
  const sqlite = await openExisting(file);
  try {
    const created = await open(copy, 'wx', 0o600);
    try {
      sqlite.prepare('vacuum into ?').run(copy);
      await created.sync();
    } finally {
      await created.close();
    }
  } finally {
    sqlite.close();
  }
}

async function openExisting(file: string): Promise<Sqlite.Database> {
  // SQLite writes its journal beside the file.
  for (const path of [file, dirname(file)]) await access(path, constants.R_OK | constants.W_OK);
  const sqlite = new Sqlite(`${pathToFileURL(file).href}?mode=rw`);
  sqlite.pragma(`busy_timeout = ${startTimeout}`);
  return sqlite;
}

function withDriver(createDriver: () => Driver): Database {
  return new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}
