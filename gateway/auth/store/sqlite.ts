import { access, chmod, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  Migrator,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import Sqlite from 'libsql';
import { makeFolder } from '../../../build/release/make-folder.ts';
import { migrations } from './migrations.ts';
import { toRead, toWrite } from './sqlite-begin.ts';
import { SqliteChanges } from './sqlite-changes.ts';
import { openCounting } from './sqlite-counting.ts';
import type { Store } from './store.ts';
import type { Database } from './tables.ts';

/** Milliseconds to wait at the start for another process that is writing. */
const startTimeout = 5000;
/** Milliseconds from one try to take a lock to the next. */
const retryInterval = 10;

/**
 * Opens a SQLite file, and makes it where it is missing. Only its owner can read it.
 *
 * @param patience milliseconds that a statement waits for another process that is writing; what does not need
 * the database goes on meanwhile
 * @throws SQLite's or the file system's own error
 */
export async function openSqlite(file: string, patience: number): Promise<Database> {
  return (await open(file, patience)).database;
}

/**
 * Opens a SQLite file so that it can be told whether it has changed, and usage be written beside.
 *
 * @param patience as above
 * @throws SQLite's or the file system's own error
 */
export async function openSqliteStore(file: string, patience: number): Promise<Store> {
  const { database, changes } = await open(file, patience);
  const counting = await openCounting(file, patience, changes);
  return {
    database,
    counting,
    changes,
    close: async () => {
      await counting.destroy().finally(() => database.destroy());
      changes.close();
    },
  };
}

/**
 * Opens a SQLite file that is there, to be looked at: it is neither made nor changed.
 *
 * @throws SQLite's or the file system's own error
 */
export async function lookAtSqlite(file: string, patience: number): Promise<Database> {
  // Its journal is written beside it.
  for (const path of [file, dirname(file)]) await access(path, constants.R_OK | constants.W_OK);
  const sqlite = new Sqlite(`${pathToFileURL(file).href}?mode=rw`);
  sqlite.pragma(`busy_timeout = ${patience}`);
  sqlite.pragma('query_only = ON');
  return new Kysely({ dialect: new SqliteDialect({ database: sqlite as SqliteDatabase }) });
}

async function open(file: string, patience: number) {
  await makeFolder(dirname(file), 0o700);
  const sqlite = new Sqlite(file);
  sqlite.pragma(`busy_timeout = ${startTimeout}`);
  // The bundled SQLite may lose writes of a second process in WAL mode (fixed in 3.51.3).
  sqlite.pragma('journal_mode = DELETE');
  sqlite.pragma('foreign_keys = ON');
  await chmod(file, 0o600);
  const changes = new SqliteChanges(file);
  const database: Database = new Kysely({ dialect: patientDialect(sqlite, patience, changes) });
  await migrate(sqlite, database);
  sqlite.pragma('busy_timeout = 0');
  return { database, changes };
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

function patientDialect(sqlite: Sqlite.Database, patience: number, changes: SqliteChanges): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: (): Driver => new PatientDriver(sqlite, patience, changes),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * SQLite for several processes. Every transaction takes its lock first: then only the beginning can find the
 * database locked, while a prepared statement of libsql that does so counts as one in progress until it is
 * garbage, and meanwhile every later transaction leaves a lock behind.
 * And it waits without holding up the process, as SQLite's own `busy_timeout` would.
 */
class PatientDriver extends SqliteDriver {
  readonly #sqlite: Sqlite.Database;
  readonly #patience: number;
  readonly #changes: SqliteChanges;

  constructor(sqlite: Sqlite.Database, patience: number, changes: SqliteChanges) {
    super({ database: sqlite as SqliteDatabase });
    this.#sqlite = sqlite;
    this.#patience = patience;
    this.#changes = changes;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      streamQuery: (query, size) => connection.streamQuery(query, size),
      executeQuery: async <Row>(query: CompiledQuery) => {
        const isRead = query.query.kind === 'SelectQueryNode';
        if (!isRead) this.#changes.note();
        const execute = () => connection.executeQuery<Row>(query);
        if (this.#sqlite.inTransaction) return execute();
        return this.#inTransaction(isRead ? toRead : toWrite, execute);
      },
    };
  }

  override beginTransaction(): Promise<void> {
    return this.#begin(toWrite);
  }

  override commitTransaction(): Promise<void> {
    return this.#whenFree(() => this.#execute('commit'));
  }

  override async rollbackTransaction(): Promise<void> {
    // SQLite has rolled back by itself after some errors, a full disk among them.
    if (this.#sqlite.inTransaction) await this.#execute('rollback');
  }

  /** Takes the lock, or leaves nothing begun. */
  #begin(sql: string): Promise<void> {
    return this.#whenFree(async () => {
      try {
        await this.#execute(sql);
      } catch (error) {
        await this.rollbackTransaction();
        throw error;
      }
    });
  }

  async #inTransaction<Result>(begin: string, run: () => Promise<Result>): Promise<Result> {
    await this.#begin(begin);
    try {
      const result = await run();
      await this.commitTransaction();
      return result;
    } catch (error) {
      await this.rollbackTransaction();
      throw error;
    }
  }

  async #execute(sql: string): Promise<void> {
    this.#sqlite.exec(sql);
  }

  /** Tries again while another process has the lock. */
  async #whenFree(run: () => Promise<void>): Promise<void> {
    const end = performance.now() + this.#patience;
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'SQLITE_BUSY' || performance.now() >= end) throw error;
        await delay(retryInterval);
      }
    }
  }
}
