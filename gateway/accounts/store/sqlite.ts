import { access, chmod, constants, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import Sqlite from 'libsql';
import { createFolder } from '../../../build/release/files.ts';
import { migrate } from './migrations.ts';
import type { Database } from './tables.ts';

/** Milliseconds to wait at the start, or to copy the file, for another process that writes. */
const startTimeout = 5000;

/** Milliseconds that a statement waits for another process that writes; the event loop keeps running. */
const lockTimeout = 2000;

/** Milliseconds between attempts to take a lock. */
const retryInterval = 10;

/**
 * Opens a SQLite file that only its owner can read. Creates it if it is missing, and migrates its tables.
 *
 * @throws SQLite's or the file system's own error
 */
export async function openSqlite(file: string): Promise<Database> {
  await createFolder(dirname(file), 0o700);
  const sqlite = new Sqlite(file);
  sqlite.pragma(`busy_timeout = ${startTimeout}`);
  // In WAL mode the bundled SQLite may lose writes of a second process (fixed in 3.51.3).
  sqlite.pragma('journal_mode = DELETE');
  sqlite.pragma('foreign_keys = ON');
  await chmod(file, 0o600);
  // Kysely's dialect, for a file that other processes use, too.
  const dialect = new SqliteDialect({ database: sqlite as SqliteDatabase });
  dialect.createDriver = () => new SharedDriver(sqlite);
  const database: Database = new Kysely({ dialect });
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
  return database;
}

/**
 * Every transaction takes its lock first, so that only its begin can find the database locked: libsql does not finish a
 * prepared statement that does until it is garbage-collected, and meanwhile every later transaction leaves a lock behind.
 * It waits for locks without blocking the event loop, as SQLite's own `busy_timeout` would.
 */
class SharedDriver extends SqliteDriver {
  readonly #sqlite: Sqlite.Database;

  constructor(sqlite: Sqlite.Database) {
    super({ database: sqlite as SqliteDatabase });
    this.#sqlite = sqlite;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      streamQuery: (query, size) => connection.streamQuery(query, size),
      executeQuery: async <Row>(query: CompiledQuery) => {
        if (this.#sqlite.inTransaction) return connection.executeQuery<Row>(query);
        await this.#exec(
          query.query.kind === 'SelectQueryNode'
            ? 'begin; select 1 from sqlite_schema limit 1'
            : 'begin immediate',
        );
        try {
          const result = await connection.executeQuery<Row>(query);
          await this.#exec('commit');
          return result;
        } catch (error) {
          await this.rollbackTransaction();
          throw error;
        }
      },
    };
  }

  override beginTransaction(): Promise<void> {
    return this.#exec('begin immediate');
  }

  override commitTransaction(): Promise<void> {
    return this.#exec('commit');
  }

  override async rollbackTransaction(): Promise<void> {
    // After some errors, such as a full disk, SQLite has already rolled back.
    if (this.#sqlite.inTransaction) this.#sqlite.exec('rollback');
  }

  /** Begins or commits, as soon as the lock is free. */
  async #exec(sql: string): Promise<void> {
    const end = performance.now() + lockTimeout;
    for (;;) {
      try {
        this.#sqlite.exec(sql);
        return;
      } catch (error) {
        const isBegin = sql.startsWith('begin');
        if (isBegin) await this.rollbackTransaction();
        if ((error as NodeJS.ErrnoException).code !== 'SQLITE_BUSY' || performance.now() >= end)
          throw error;
        await delay(retryInterval);
      }
    }
  }
}

/**
 * Copies an existing SQLite file while other processes read and write it. Writers wait until it is read.
 *
 * @param copy the new file, which only its owner can read
 * @throws SQLite's or the file system's own error
 */
export async function copySqlite(file: string, copy: string): Promise<void> {
  // SQLite writes its journal beside the file.
  for (const path of [file, dirname(file)]) await access(path, constants.R_OK | constants.W_OK);
  const sqlite = new Sqlite(`${pathToFileURL(file).href}?mode=rw`);
  sqlite.pragma(`busy_timeout = ${startTimeout}`);
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
