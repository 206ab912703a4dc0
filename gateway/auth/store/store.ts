import { openDatabase, orStorageError } from './database.ts';
import type { DatabaseLocation } from './location.ts';
import type { Database } from './tables.ts';

/** The database as a process opens it that checks keys and counts usage. */
export interface Store {
  readonly database: Database;
  /** The same one, to write what requests bring up: neither they nor the process wait for the disk meanwhile. */
  readonly counting: Database;
  /** Undefined where the engine cannot tell. */
  readonly changes: Changes | undefined;
  close(): Promise<void>;
}

/** Tells whether the database is still as it was. */
export interface Changes {
  /**
   * A number that is another one as soon as anyone has changed anything, whichever process it was, but for what
   * is written by way of `counting`.
   *
   * @param again whether other connections are asked too, or only this one
   * @throws the database's own error, when another process keeps it locked
   */
  version(again: boolean): number;
}

/**
 * Opens the database.
 *
 * @param patience milliseconds that a statement of SQLite waits for another process that is writing
 * @throws StorageError when the database cannot be read or written
 */
export async function openStore(location: DatabaseLocation, patience: number): Promise<Store> {
  if (location.kind === 'sqlite') {
    return orStorageError(location, async () => {
      const { openSqliteStore } = await import('./sqlite.ts');
      return openSqliteStore(location.file, patience);
    });
  }
  const database = await openDatabase(location, patience);
  return { database, counting: database, changes: undefined, close: () => database.destroy() };
}
