import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import Sqlite from 'libsql/promise';
import { toWrite } from './sqlite-begin.ts';
import type { SqliteChanges } from './sqlite-changes.ts';
import type { Database } from './tables.ts';

/** A connection of libsql whose statements end in a thread; its own types do not know all of it. */
interface AsyncSqlite {
  readonly inTransaction: boolean;
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<AsyncStatement>;
  close(): void;
}

interface AsyncStatement {
  all(...parameters: readonly unknown[]): Promise<unknown[]>;
}

/**
 * Opens a second connection to a SQLite file, which waits for locks and for the disk in a thread of libsql's own. What
 * it writes is never anything that a check of keys depends on.
 *
 * @param patience milliseconds that it waits for another process that is writing
 * @param changes of the first connection
 */
export async function openCounting(
  file: string,
  patience: number,
  changes: SqliteChanges,
): Promise<Database> {
  const sqlite = new Sqlite(file, {}) as unknown as AsyncSqlite;
  await sqlite.exec(`pragma busy_timeout = ${patience}`);
  return new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new CountingDriver(sqlite, changes),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** One transaction at a time; a statement by itself is one, too. */
class CountingDriver implements Driver {
  readonly #sqlite: AsyncSqlite;
  readonly #changes: SqliteChanges;
  #last: Promise<void> = Promise.resolve();
  #leave: () => void = () => {};

  constructor(sqlite: AsyncSqlite, changes: SqliteChanges) {
    this.#sqlite = sqlite;
    this.#changes = changes;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last;
    let leave = () => {};
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    this.#leave = leave;
    return {
      executeQuery: <Row>(query: CompiledQuery) => this.#execute<Row>(query),
      streamQuery: () => {
        throw new Error('Counts are not streamed.');
      },
    };
  }

  async releaseConnection(): Promise<void> {
    this.#leave();
  }

  async beginTransaction(): Promise<void> {
    await this.#sqlite.exec(toWrite);
    try {
      this.#changes.hold();
    } catch (error) {
      await this.rollbackTransaction();
      throw error;
    }
  }

  async commitTransaction(): Promise<void> {
    await this.#sqlite.exec('commit');
    this.#changes.release();
  }

  async rollbackTransaction(): Promise<void> {
    // SQLite has rolled back by itself after some errors, a full disk among them.
    if (this.#sqlite.inTransaction) await this.#sqlite.exec('rollback');
    this.#changes.release();
  }

  async destroy(): Promise<void> {
    this.#sqlite.close();
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#sqlite.inTransaction) return this.#run(query);
    await this.beginTransaction();
    try {
      const result = await this.#run<Row>(query);
      await this.commitTransaction();
      return result;
    } catch (error) {
      await this.rollbackTransaction();
      throw error;
    }
  }

  async #run<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = await this.#sqlite.prepare(sql);
    // Its `run` would hold up the process: the first change of a transaction makes a file.
    return { rows: (await statement.all(...parameters)) as Row[] };
  }
}
