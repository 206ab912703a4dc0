import { join } from 'node:path';
import { createFolder, writeFileOnce } from '../../../build/release/files.ts';
import { UserError } from '../../../build/release/user-error.ts';
import { type DatabaseLocation, describeLocation } from '../../config-values.ts';
import type { Database } from './tables.ts';

/** Milliseconds that a statement waits for another process that writes to a SQLite file. */
const lockTimeout = 2000;

/**
 * Opens the database with accounts, keys and usage, and migrates its tables. A SQLite file is created if it is
 * missing. Only the engine in use is loaded.
 *
 * @throws StorageError when the database cannot be read or written
 */
export function openDatabase(location: DatabaseLocation): Promise<Database> {
  return orStorageError(location, async () => {
    if (location.kind === 'sqlite')
      return (await import('./sqlite.ts')).openSqlite(location.file, lockTimeout);
    return (await import('./postgres.ts')).openPostgres(location.url);
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

/** Whether an error comes from the database: a full disk, a locked file, an unreachable server. */
export function isDatabaseError(error: unknown): error is Error {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  // SQLITE_BUSY, PostgreSQL's 57P01, the system's ECONNREFUSED; but not Node's own ERR_INVALID_ARG_TYPE.
  return typeof code === 'string' && !code.startsWith('ERR_');
}

/**
 * Looks into a database as it is, and changes nothing.
 *
 * @param look is called with a database that has the schema of this version
 * @returns whether it is there, and whether it is to be migrated
 * @throws StorageError when it cannot be read or written, or a newer version has migrated it
 */
export async function inspectDatabase(
  location: DatabaseLocation,
  look: (database: Database) => Promise<void>,
): Promise<'missing' | 'older' | 'current'> {
  const { describeNewer, migrations, newerThanThis, readMigrations } = await import(
    './migrations.ts'
  );
  const database = await orStorageError(location, async () => {
    if (location.kind === 'postgres')
      return (await import('./postgres.ts')).connectPostgres(location.url);
    const { openSqliteReadOnly } = await import('./sqlite.ts');
    return openSqliteReadOnly(location.file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
  });
  if (!database) return 'missing';
  try {
    const done: readonly string[] = await orStorageError(location, async () => {
      const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
      return tables.some(({ name }) => name === 'accounts') ? await readMigrations(database) : [];
    });
    const newer = newerThanThis(done);
    if (newer.length > 0) throw new StorageError(describeNewer(newer));
    if (Object.keys(migrations).some((name) => !done.includes(name))) return 'older';
    await look(database);
    return 'current';
  } finally {
    await database.destroy();
  }
}
