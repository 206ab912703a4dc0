/** `pastpaper backup`: copies the SQLite database while gateways use it. Also copies such a file into another database. */
import { existsSync } from 'node:fs';
import { copyFile, link, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { sql } from 'kysely';
import {
  type CommandIO,
  type ExitStatus,
  print,
  readArguments,
} from '../../../build/command-line/command.ts';
import { draftName } from '../../../build/release/files.ts';
import { ConfigError, readSettings } from '../../config.ts';
import { reasonOf } from '../../log/logger.ts';
import { RequestError } from '../accounts.ts';
import { openDatabase, StorageError } from '../store/store.ts';
import type { Database, Tables } from '../store/tables.ts';
import { reportErrors, requireFolder } from './command.ts';

const options = { json: { type: 'boolean', default: false } } as const;

/** Runs `pastpaper backup`. Returns its exit status. */
export function main(
  args: readonly string[],
  usage: string,
  io: CommandIO = process,
): Promise<ExitStatus> {
  return reportErrors(usage, io, async () => {
    const { values, positionals } = readArguments(args, options, 'FILE');
    const [file = ''] = positionals;
    const { database } = readSettings(io.env);
    if (database.kind === 'postgres') throw new ConfigError(adviceForPostgres(file));
    requireFolder(database);
    await copyDatabase(database.file, file);
    const { size } = await stat(file);
    const text = `Copied ${resolve(database.file)} to ${file} (${size.toLocaleString('en-GB')} bytes).\n`;
    print(io, values.json, { file, bytes: size }, text);
  });
}

/**
 * Copies a SQLite file. The copy gets its name when it is complete.
 *
 * @throws RequestError if the copy already exists
 * @throws StorageError
 */
async function copyDatabase(from: string, file: string): Promise<void> {
  const { copySqlite } = await import('../store/sqlite.ts');
  const draft = join(dirname(resolve(file)), draftName());
  try {
    await copySqlite(from, draft);
    // Unlike a rename, it replaces nothing.
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new RequestError(
        `${file} already exists. Choose another name: a backup never overwrites a file.`,
      );
    }
    throw new StorageError(`The database ${from} cannot be copied to ${file}: ${reasonOf(error)}`);
  } finally {
    await rm(draft, { force: true });
  }
}

function adviceForPostgres(file: string): string {
  const quoted = `'${file.replaceAll("'", `'\\''`)}'`;
  return `DATABASE_URL names a PostgreSQL database. Back it up with pg_dump:

  pg_dump --format=custom --file=${quoted} "$DATABASE_URL"

docs/operations.md describes how to restore it.`;
}

/** The tables. Rows refer only to those of earlier ones. */
const tables = [
  'users',
  'sessions',
  'logins',
  'verifications',
  'accounts',
  'keys',
  'usage',
  'keyUsage',
  'usageBatches',
] as const satisfies readonly (keyof Tables)[];

/** Rows of a statement: with 13 columns, less than half of the parameters that SQLite allows. */
const pageRows = 1000;

/**
 * Copies all rows of a SQLite file into an empty database, in one transaction. Then compares how many rows there are.
 *
 * @returns the rows of each table
 * @throws RequestError if the database is not empty, or the file is missing
 * @throws StorageError
 */
export async function restoreBackup(
  file: string,
  database: Database,
): Promise<Readonly<Record<string, number>>> {
  // The file stays as it is: a database is brought up to date when it is opened.
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-restore-'));
  const copy = join(folder, 'copy.db');
  let source: Database | undefined;
  try {
    await copyFile(file, copy).catch((error) => {
      if (error.code === 'ENOENT') throw new RequestError(`There is no file ${file}.`);
      throw new RequestError(`${file} cannot be read: ${reasonOf(error)}`);
    });
    // After a crash, it has what must be rolled back.
    const journal = `${file}-journal`;
    if (existsSync(journal)) await copyFile(journal, `${copy}-journal`);
    source = await openDatabase({ kind: 'sqlite', file: copy });
    return await source
      .transaction()
      .execute((from) => database.transaction().execute((to) => copyRows(from, to)));
  } finally {
    await source?.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyRows(from: Database, to: Database): Promise<Readonly<Record<string, number>>> {
  const copied: Record<string, number> = {};
  for (const table of tables) {
    if ((await countRows(to, table)) > 0)
      throw new RequestError(
        `The database is not empty: it has ${table}. Set DATABASE_URL to a new database.`,
      );
    const rows = await countRows(from, table);
    let last = 0;
    for (let done = 0; done < rows; done += pageRows) {
      // From the last row on: an offset would read all earlier rows again for each page.
      const page = sql<{ row: number }>`select rowid as "row", * from ${sql.table(table)}
        where rowid > ${last} order by rowid limit ${pageRows}`;
      const found = (await page.execute(from)).rows;
      last = found.at(-1)?.row ?? last;
      await to
        .insertInto(table)
        .values(found.map(({ row: _, ...values }) => values) as never)
        .execute();
    }
    if ((await countRows(to, table)) !== rows)
      throw new StorageError(
        `The copy of ${table} differs from ${table} in the file, so nothing was copied.`,
      );
    copied[table] = rows;
  }
  return copied;
}

async function countRows(database: Database, table: keyof Tables): Promise<number> {
  const query = sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`;
  return (await query.execute(database)).rows[0]?.rows ?? 0;
}
