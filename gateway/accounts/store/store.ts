import { join } from 'node:path';
import { createFolder, writeFileOnce } from '../../../build/release/files.ts';
import { UserError } from '../../../build/release/user-error.ts';
import { type DatabaseLocation, describeLocation } from '../../config-values.ts';
import { reasonOf } from '../../log/logger.ts';
import type { Database } from './tables.ts';

/**
 * Opens the database with accounts, keys and usage, and migrates its tables. A SQLite file is created if it is
 * missing. Only the engine in use is loaded.
 *
 * @throws StorageError when the database cannot be read or written, or a newer version has migrated it
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  try {
    if (location.kind === 'sqlite')
      return await (await import('./sqlite.ts')).openSqlite(location.file);
    return await (await import('./postgres.ts')).openPostgres(location.url);
  } catch (error) {
    // When every address of a host refuses the connection, the error has no message.
    throw new StorageError(
      `The database ${describeLocation(location)} cannot be used: ${reasonOf(error)}`,
    );
  }
}

/** Data cannot be read or stored. The message names the place and the reason. */
export class StorageError extends UserError {}

/**
 * Returns a secret from a file of the data folder, which is created with `content` if it is missing.
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

/** Whether an error comes from the database: a full disk, a locked file, an unreachable server. */
export function isDatabaseError(error: unknown): error is Error {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  // SQLITE_BUSY, PostgreSQL's 57P01, the system's ECONNREFUSED; but not Node's own ERR_INVALID_ARG_TYPE.
  return typeof code === 'string' && !code.startsWith('ERR_');
}
