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
import type { DataVersion } from './tables.ts';

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
        if ((error as NodeJS.ErrnoException).code !== 'SQLITE_BUSY' || performance.now() >= end) throw error;
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

/**
 * Detects changes by the file's change counter. `PRAGMA data_version` would take SQLite's locks in every turn of the
 * event loop: 15 µs instead of 1 µs for reading four bytes (libsql 0.5). It would also change with every background
 * write.
 */
export class SqliteDataVersion implements DataVersion {
  readonly #file: string;
  readonly #bytes = Buffer.alloc(counterBytes);
  #descriptor: number | undefined;
  #version = 0;
  #counter = Number.NaN;
  #isInBackgroundWrite = false;
  readonly #identity: string | undefined;
  readonly #clock: Clock;
  #checkedAt = Number.NEGATIVE_INFINITY;

  /** @param file that the connection has opened */
  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#identity = identityOf(file);
    this.#clock = clock;
  }

  /**
   * Checks that the file at the path is the one that is open, and was not overwritten: connections would read what
   * nobody changes any more, or a mixture of pages.
   *
   * @throws an error of the database
   */
  checkFile(): void {
    if (identityOf(this.#file) !== this.#identity) throw replaced(this.#file);
    // Before the first read there is nothing to compare with.
    if (this.#descriptor !== undefined) this.#readCounter();
  }

  current(refresh: boolean): number {
    if (refresh && this.#clock.elapsed() - this.#checkedAt >= fileCheckInterval) {
      this.checkFile();
      this.#checkedAt = this.#clock.elapsed();
    }
    if (refresh && !this.#isInBackgroundWrite) this.#update(this.#readCounter());
    return this.#version;
  }

  /** For a change by this process's own connection. */
  increment(): void {
    this.#version += 1;
  }

  /** The background connection has the write lock from here on, so no other process changes anything. */
  beginBackgroundWrite(): void {
    this.#update(this.#readCounter());
    this.#isInBackgroundWrite = true;
  }

  /** The background connection has committed, which increments the counter by one, or rolled back. */
  endBackgroundWrite(): void {
    if (!this.#isInBackgroundWrite) return;
    this.#isInBackgroundWrite = false;
    const counter = this.#readCounter();
    if (counter === (this.#counter + 1) % 2 ** 32) this.#counter = counter;
  }

  /** Call after all connections are closed: closing a descriptor releases all of the process's locks on the file. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #update(counter: number): void {
    if (counter !== this.#counter) this.#version += 1;
    this.#counter = counter;
  }

  #readCounter(): number {
    this.#descriptor ??= openSync(this.#file, 'r');
    readSync(this.#descriptor, this.#bytes, 0, counterBytes, counterOffset);
    const counter = this.#bytes.readUInt32BE(0);
    // A transaction that is rolled back sets it back by one, a restored copy by more.
    if (counter < this.#counter - 1) throw replaced(this.#file);
    return counter;
  }
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
