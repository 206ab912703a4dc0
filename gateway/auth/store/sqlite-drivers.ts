/** Connections to a SQLite file that other connections and processes use, too. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDatabase,
  SqliteDriver,
} from 'kysely';
import type Sqlite from 'libsql';
import type { Clock } from '../../clock.ts';

/** Begin a transaction and take its lock. */
const beginWrite = 'begin immediate';
const beginRead = 'begin; select 1 from sqlite_schema limit 1';

/** Milliseconds between attempts to take a lock. */
const retryInterval = 10;

/** A connection of `libsql/promise`, whose own types are incomplete. */
export interface AsyncConnection {
  readonly inTransaction: boolean;
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<{ all(...parameters: readonly unknown[]): Promise<unknown[]> }>;
  close(): void;
}

/**
 * Runs queries on a SQLite file. Every transaction takes its lock first, so that only its begin can find the database
 * locked: libsql does not finish a prepared statement that does until it is garbage-collected, and meanwhile every
 * later transaction leaves a lock behind. It waits for locks without blocking the event loop, as SQLite's own
 * `busy_timeout` would.
 */
export class SharedSqliteDriver extends SqliteDriver {
  readonly #connection: Sqlite.Database | AsyncConnection;
  readonly #background: AsyncConnection | undefined;
  readonly #lockTimeout: number;
  readonly #dataVersion: SqliteDataVersion;
  #isClosed = false;

  /**
   * @param lockTimeout milliseconds
   * @param background the connection, if it writes in a thread of libsql, which waits for the disk. Key checks must not
   *   depend on what it writes: the data version does not change with it
   */
  constructor(
    connection: Sqlite.Database | AsyncConnection,
    lockTimeout: number,
    dataVersion: SqliteDataVersion,
    background?: AsyncConnection,
  ) {
    super({ database: connection as SqliteDatabase });
    this.#connection = connection;
    this.#background = background;
    this.#lockTimeout = lockTimeout;
    this.#dataVersion = dataVersion;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    if (this.#isClosed) {
      await this.releaseConnection();
      throw new Error('The database is closed.');
    }
    return {
      streamQuery: (query, size) => connection.streamQuery(query, size),
      executeQuery: async <Row>(query: CompiledQuery) => {
        if (this.#connection.inTransaction) return this.#run<Row>(query, connection);
        await this.#begin(isRead(query) ? beginRead : beginWrite);
        try {
          const result = await this.#run<Row>(query, connection);
          await this.commitTransaction();
          return result;
        } catch (error) {
          await this.rollbackTransaction();
          throw error;
        }
      },
    };
  }

  /** Waits for the statements of a transaction: libsql ends the process when a closed connection is used. */
  override async destroy(): Promise<void> {
    await this.acquireConnection();
    this.#isClosed = true;
    await super.destroy();
    await this.releaseConnection();
  }

  /** Runs a statement inside a transaction. */
  async #run<Row>(query: CompiledQuery, connection: DatabaseConnection): Promise<QueryResult<Row>> {
    if (!this.#background) {
      if (!isRead(query)) this.#dataVersion.increment();
      return connection.executeQuery<Row>(query);
    }
    const statement = await this.#background.prepare(query.sql);
    // Not `run`, which blocks the event loop: the first change of a transaction creates the journal.
    return { rows: (await statement.all(...query.parameters)) as Row[] };
  }

  override beginTransaction(): Promise<void> {
    return this.#begin(beginWrite);
  }

  override async commitTransaction(): Promise<void> {
    await this.#retryWhileLocked(() => this.#connection.exec('commit'));
    if (this.#background) this.#dataVersion.endBackgroundWrite();
  }

  override async rollbackTransaction(): Promise<void> {
    // After some errors, such as a full disk, SQLite has already rolled back.
    if (this.#connection.inTransaction) await this.#connection.exec('rollback');
    if (this.#background) this.#dataVersion.endBackgroundWrite();
  }

  /** Takes the lock, or leaves no transaction open. */
  #begin(sql: string): Promise<void> {
    return this.#retryWhileLocked(async () => {
      this.#dataVersion.checkFile();
      try {
        await this.#connection.exec(sql);
        if (this.#background && sql === beginWrite) this.#dataVersion.beginBackgroundWrite();
      } catch (error) {
        await this.rollbackTransaction();
        throw error;
      }
    });
  }

  async #retryWhileLocked(attempt: () => unknown): Promise<void> {
    const end = performance.now() + this.#lockTimeout;
    for (;;) {
      try {
        await attempt();
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'SQLITE_BUSY' || performance.now() >= end)
          throw error;
        await delay(retryInterval);
      }
    }
  }
}

function isRead({ query }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode';
}

/**
 * Where a SQLite file counts its transactions (SQLite's "Database File Format", 1.3.8). Outside of WAL mode every
 * transaction changes it before it commits, while no other process can read.
 */
const counterOffset = 24;
const counterBytes = 4;

/** Milliseconds until it is checked again whether the file was replaced: 3 µs each time. */
const fileCheckInterval = 1000;

type SqliteDataVersion = ReturnType<typeof sqliteDataVersion>;

/**
 * Detects changes by the file's change counter. `PRAGMA data_version` would take SQLite's locks in every turn of the
 * event loop: 15 µs instead of 1 µs for reading four bytes (libsql 0.5). It would also change with every background
 * write.
 *
 * @param file that the connection has opened
 */
export function sqliteDataVersion(file: string, clock: Clock) {
  const bytes = Buffer.alloc(counterBytes);
  let descriptor: number | undefined;
  let version = 0;
  let counter = Number.NaN;
  let isInBackgroundWrite = false;
  const identity = identityOf(file);
  let checkedAt = Number.NEGATIVE_INFINITY;

  function update(read: number): void {
    if (read !== counter) version += 1;
    counter = read;
  }

  function readCounter(): number {
    descriptor ??= openSync(file, 'r');
    readSync(descriptor, bytes, 0, counterBytes, counterOffset);
    const read = bytes.readUInt32BE(0);
    // A transaction that is rolled back sets it back by one, a restored copy by more.
    if (read < counter - 1) throw replaced(file);
    return read;
  }

  /**
   * Checks that the file at the path is the one that is open, and was not overwritten: connections would read what
   * nobody changes any more, or a mixture of pages.
   *
   * @throws an error of the database
   */
  function checkFile(): void {
    if (identityOf(file) !== identity) throw replaced(file);
    // Before the first read there is nothing to compare with.
    if (descriptor !== undefined) readCounter();
  }

  return {
    checkFile,

    current(refresh: boolean): number {
      if (refresh && clock.elapsed() - checkedAt >= fileCheckInterval) {
        checkFile();
        checkedAt = clock.elapsed();
      }
      if (refresh && !isInBackgroundWrite) update(readCounter());
      return version;
    },

    /** For a change by this process's own connection. */
    increment(): void {
      version += 1;
    },

    /** The background connection has the write lock from here on, so no other process changes anything. */
    beginBackgroundWrite(): void {
      update(readCounter());
      isInBackgroundWrite = true;
    },

    /** The background connection has committed, which increments the counter by one, or rolled back. */
    endBackgroundWrite(): void {
      if (!isInBackgroundWrite) return;
      isInBackgroundWrite = false;
      const read = readCounter();
      if (read === (counter + 1) % 2 ** 32) counter = read;
    },

    /** Call after all connections are closed: closing a descriptor releases all of the process's locks on the file. */
    close(): void {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

function replaced(file: string): Error {
  const advice = 'Restart this process to open the file that is there now.';
  const message = `The database file ${file} was deleted or replaced. ${advice}`;
  // SQLite's own code, which it returns for writes.
  return Object.assign(new Error(message), { code: 'SQLITE_READONLY_DBMOVED' });
}

/** Identifies a file, whatever its path: no other has its number while a connection has it open. */
function identityOf(file: string): string | undefined {
  const entry = statSync(file, { bigint: true, throwIfNoEntry: false });
  return entry && `${entry.dev} ${entry.ino}`;
}
