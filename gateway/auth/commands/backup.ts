/** `pastpaper backup`: copies the SQLite database while gateways use it. */
import { readFileSync } from 'node:fs';
import { link, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type CommandIO, type ExitStatus, print, readArguments } from '../../../build/command-line/command.ts';
import { draftName } from '../../../build/release/files.ts';
import { ConfigError, readConfig } from '../../config.ts';
import { reasonOf } from '../../log/logger.ts';
import { RequestError } from '../accounts.ts';
import { StorageError } from '../store/store.ts';
import { reportErrors, requireFolder } from './command.ts';

const options = { json: { type: 'boolean', default: false } } as const;

/** Runs `pastpaper backup`. Returns its exit status. */
export function main(args: readonly string[], usage: string, io: CommandIO = process): Promise<ExitStatus> {
  return reportErrors(usage, io, async () => {
    const { values, positionals } = readArguments(args, options, 'FILE');
    const [file = ''] = positionals;
    const { database } = readConfig(io.env, (path) => readFileSync(path, 'utf8'));
    if (database.kind === 'postgres') throw new ConfigError(adviceForPostgres(file));
    await requireFolder(database);
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
      throw new RequestError(`${file} already exists. Choose another name: a backup never overwrites a file.`);
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
