import { join } from 'node:path';
import { createFolder, writeFileOnce } from '../../../build/release/files.ts';
import { UserError } from '../../../build/release/user-error.ts';
import type { Clock } from '../../clock.ts';
import { type DatabaseLocation, describeLocation } from '../../config-values.ts';
import type { Database, Store } from './tables.ts';

/** Milliseconds that a request waits for another process that writes to a SQLite file. */
const requestLockTimeout = 2000;

/**
 * Opens the database for a process that checks keys and counts usage.
 *
 * @throws StorageError when the database cannot be read or written
 */
export async function openStore(location: DatabaseLocation, clock: Clock): Promise<Store> {
  if (location.kind === 'sqlite') {
    return orStorageError(location, async () => {
      const { openSqliteStore } = await import('./sqlite.ts');
      return openSqliteStore(location.file, requestLockTimeout, clock);
    });
  }
  const database = await openDatabase(location);
  return {
    database,
    background: database,
    dataVersion: undefined,
    close: () => database.destroy(),
  };
}

/**
 * Opens the database with accounts, keys and usage, and migrates its tables. A SQLite file is created if it is
 * missing. Only the engine in use is loaded.
 *
 * @param lockTimeout milliseconds that a statement of SQLite waits for another process that writes
 * @throws StorageError when the database cannot be read or written
 */
export async function openDatabase(
  location: DatabaseLocation,
  lockTimeout = 5000,
): Promise<Database> {
  return orStorageError(location, async () => {
    if (location.kind === 'sqlite') {
      const { openSqlite } = await import('./sqlite.ts');
      return (await openSqlite(location.file, lockTimeout)).database;
    }
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(location);
  });
}

/** Data cannot be read or stored. The message names the place and the reason. */
export class StorageError extends UserError {}

/**
 * Returns a secret from a file of the data folder, which is created with `content` if it is missing or empty.
 *
 * @throws StorageError when it cannot be read or written
 */
export async function storedSecret(
  dataDir: string,
  file: string,
  content: string,
): Promise<string> {
  try {
    await createFolder(dataDir, 0o700);
    return await writeFileOnce(join(dataDir, file), content);
  } catch (error) {
    throw new StorageError(
      `The data folder ${dataDir} cannot be written: ${(error as Error).message}`,
    );
  }
}

/** Throws a `StorageError` that names the database, when it cannot be opened. */
export async function orStorageError<Opened>(
  location: DatabaseLocation,
  open: () => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    // When every address of a host refuses the connection, the error has no message.
    throw new StorageError(
      `The database ${describeLocation(location)} cannot be used: ${message || code}`,
    );
  }
}

/** Errors for the data of a statement, which would fail again. PostgreSQL: characters, constraints, lengths. */
const refusals = /^(22|23|54)...$|^SQLITE_(CONSTRAINT|TOOBIG)/;

/** Whether the database refused a statement for its data. */
export function isRefusal(error: unknown): boolean {
  return isDatabaseError(error) && refusals.test((error as NodeJS.ErrnoException).code ?? '');
}

/** Whether an error comes from the database: a full disk, a locked file, an unreachable server. */
export function isDatabaseError(error: unknown): error is Error {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  // SQLITE_BUSY, PostgreSQL's 57P01, the system's ECONNREFUSED; but not Node's own ERR_INVALID_ARG_TYPE.
  return typeof code === 'string' && !code.startsWith('ERR_');
}
