import type Sqlite from 'libsql';
import { toRead } from './sqlite-begin.ts';
import type { Changes } from './store.ts';

/** Tells by SQLite's own means whether a file has changed: `data_version` counts what other connections commit. */
export class SqliteChanges implements Changes {
  readonly #sqlite: Sqlite.Database;
  readonly #dataVersion: Sqlite.Statement;
  #version = 0;
  #others = Number.NaN;
  #held = false;

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite;
    this.#dataVersion = sqlite.prepare('pragma data_version');
  }

  version(again: boolean): number {
    if (again && !this.#held) this.#ask();
    return this.#version;
  }

  /** Takes note of a change by the connection itself. */
  note(): void {
    this.#version += 1;
  }

  /**
   * From here on another connection of this process has the lock for writing, and no one else changes anything:
   * until `release`, the file need not be asked, which its commit would lock.
   */
  hold(): void {
    this.#ask();
    this.#held = true;
  }

  release(): void {
    this.#held = false;
  }

  #ask(): void {
    const others = this.#sqlite.inTransaction ? this.#read() : this.#readInTransaction();
    if (others !== this.#others) this.#version += 1;
    this.#others = others;
  }

  /** In a transaction, because a statement that finds the file locked is of no use from then on. */
  #readInTransaction(): number {
    try {
      this.#sqlite.exec(toRead);
      return this.#read();
    } finally {
      if (this.#sqlite.inTransaction) this.#sqlite.exec('rollback');
    }
  }

  #read(): number {
    return (this.#dataVersion.get() as { readonly data_version: number }).data_version;
  }
}
