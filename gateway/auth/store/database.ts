import { type DatabaseLocation, describeLocation } from './location.ts';
import type { Database } from './tables.ts';

/** Data cannot be read or kept. The message says which database, and what is wrong with it. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/**
 * Opens the database with accounts, keys and usage and brings its tables up to date; a SQLite file that is
 * missing is made. Only the engine that is asked for is loaded.
 *
 * @param patience milliseconds that a statement of SQLite waits for another process that is writing
 * @throws StorageError when the database cannot be read or written
 */
export async function openDatabase(location: DatabaseLocation, patience: number): Promise<Database> {
  return orStorageError(location, async () => {
    if (location.kind === 'sqlite') {
      const { openSqlite } = await import('./sqlite.ts');
      return openSqlite(location.file, patience);
    }
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(location.url);
  });
}

/** Opens a database in some way, and says of one that does not open which it is. */
export async function orStorageError<Opened>(
  location: DatabaseLocation,
  open: () => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    // A connection refused at every address of a host comes without a message of its own.
    throw new StorageError(`The database ${describeLocation(location)} cannot be used: ${message || code}`);
  }
}

/** Whether an error is the database's own: a full disk, a locked file, a server that is gone. */
export function isDatabaseError(error: unknown): error is Error {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  // SQLITE_BUSY, PostgreSQL's 57P01, the system's ECONNREFUSED; but not what Node says of wrong code.
  return typeof code === 'string' && !code.startsWith('ERR_');
}
