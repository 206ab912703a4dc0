/** The two connections to a SQLite file: one to read and write, one to write in the background. */
import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
  SqliteDriver,
} from 'kysely';
import type Sqlite from 'libsql';
import type { DataVersion } from './tables.ts';

/** Begin a transaction and take its lock. */
const beginWrite = 'begin immediate';
const beginRead = 'begin; select 1 from sqlite_schema limit 1';

/** Milliseconds between attempts to take a lock. */
const retryInterval = 10;

/**
 * Shares a SQLite file with other processes. Every transaction takes its lock first, so that only its begin can find
 * the database locked: libsql does not finish a prepared statement that does until it is garbage-collected, and
 * meanwhile every later transaction leaves a lock behind.
 * It waits for locks without blocking the event loop, as SQLite's own `busy_timeout` would.
 */
export class LockingDriver extends SqliteDriver {
  readonly #sqlite: Sqlite.Database;
  readonly #lockTimeout: number;
  readonly #dataVersion: SqliteDataVersion;

  /** @param lockTimeout milliseconds */
  constructor(sqlite: Sqlite.Database, lockTimeout: number, dataVersion: SqliteDataVersion) {
    super({ database: sqlite as SqliteDatabase });
    this.#sqlite = sqlite;
    this.#lockTimeout = lockTimeout;
    this.#dataVersion = dataVersion;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      streamQuery: (query, size) => connection.streamQuery(query, size),
      executeQuery: async <Row>(query: CompiledQuery) => {
        const isRead = query.query.kind === 'SelectQueryNode';
        if (!isRead) this.#dataVersion.increment();
        const execute = () => connection.executeQuery<Row>(query);
        if (this.#sqlite.inTransaction) return execute();
        return this.#inTransaction(isRead ? beginRead : beginWrite, execute);
      },
    };
  }

  override beginTransaction(): Promise<void> {
    return this.#begin(beginWrite);
  }

  override commitTransaction(): Promise<void> {
    return this.#retryWhileLocked(() => this.#execute('commit'));
  }

  override async rollbackTransaction(): Promise<void> {
    // After some errors, such as a full disk, SQLite has already rolled back.
    if (this.#sqlite.inTransaction) await this.#execute('rollback');
  }

  /** Takes the lock, or leaves no transaction open. */
  #begin(sql: string): Promise<void> {
    return this.#retryWhileLocked(async () => {
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

  async #retryWhileLocked(run: () => Promise<void>): Promise<void> {
    const end = performance.now() + this.#lockTimeout;
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

/** A connection of `libsql/promise`, whose own types are incomplete. */
export interface AsyncConnection {
  readonly inTransaction: boolean;
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<{ all(...parameters: readonly unknown[]): Promise<unknown[]> }>;
  close(): void;
}

/**
 * Writes in a thread of libsql, which waits for locks and for the disk. Transactions run one after the other. Key
 * checks must not depend on what it writes: the data version does not change with it.
 */
export class BackgroundDriver implements Driver {
  readonly #connection: AsyncConnection;
  readonly #dataVersion: SqliteDataVersion;
  #last: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(connection: AsyncConnection, dataVersion: SqliteDataVersion) {
    this.#connection = connection;
    this.#dataVersion = dataVersion;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last;
    let release = () => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    return {
      executeQuery: <Row>(query: CompiledQuery) => this.#execute<Row>(query),
      streamQuery: () => {
        throw new Error('The background connection does not stream.');
      },
    };
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(): Promise<void> {
    await this.#connection.exec(beginWrite);
    try {
      this.#dataVersion.beginBackgroundWrite();
    } catch (error) {
      await this.rollbackTransaction();
      throw error;
    }
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.exec('commit');
    this.#dataVersion.endBackgroundWrite();
  }

  async rollbackTransaction(): Promise<void> {
    // After some errors, such as a full disk, SQLite has already rolled back.
    if (this.#connection.inTransaction) await this.#connection.exec('rollback');
    this.#dataVersion.endBackgroundWrite();
  }

  async destroy(): Promise<void> {
    this.#connection.close();
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#connection.inTransaction) return this.#run(query);
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
    const statement = await this.#connection.prepare(sql);
    // Not `run`, which blocks the event loop: the first change of a transaction creates the journal.
    return { rows: (await statement.all(...parameters)) as Row[] };
  }
}

/**
 * Where a SQLite file counts its transactions (SQLite's "Database File Format", 1.3.8). Outside of WAL mode every
 * transaction changes it before it commits, while no other process can read.
 */
const counterOffset = 24;
const counterBytes = 4;

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

  constructor(file: string) {
    this.#file = file;
  }

  current(refresh: boolean): number {
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
    return this.#bytes.readUInt32BE(0);
  }
}
