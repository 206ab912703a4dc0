import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dialect, PostgresDialect, type SqliteDatabase, SqliteDialect } from 'kysely';
import Sqlite from 'libsql';
import pg from 'pg';
import { openDatabase } from '../../../gateway/accounts/store/store.ts';
import type { DatabaseLocation } from '../../../gateway/config-values.ts';

/** A database for one test file. */
export interface TestDatabase {
  readonly location: DatabaseLocation;
  /** Its DATABASE_URL. */
  readonly url: string;
  /** A dialect to access it without the store. */
  dialect(): Dialect;
  remove(): Promise<void>;
}

/** A database engine. The tests of the store run on each. */
export interface Engine {
  readonly name: string;
  /** Why its tests are skipped, or false. In CI, a missing server is an error. */
  readonly skip: string | false;
  createDatabase(): Promise<TestDatabase>;
  /** Creates a database with all tables, where that is faster than migrating an empty one. */
  createMigrated(): Promise<TestDatabase>;
}

/** A PostgreSQL server where databases can be created. */
const server = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

const noServer = await runOnServer('select 1').then(
  () => false as const,
  (error: Error) =>
    `there is no PostgreSQL at TEST_DATABASE_URL or on this machine (${error.message})`,
);
if (noServer && process.env['CI']) throw new Error(`CI needs PostgreSQL: ${noServer}`);

/** Where SQLite files are: in memory if the system allows it, since every transaction waits for the disk. */
const filesFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export const sqlite: Engine = {
  name: 'SQLite',
  skip: false,
  async createDatabase() {
    const folder = await mkdtemp(join(filesFolder, 'pastpaper-'));
    const file = join(folder, 'pastpaper.db');
    return {
      location: { kind: 'sqlite', file },
      url: `file:${file}`,
      dialect: () => new SqliteDialect({ database: new Sqlite(file) as SqliteDatabase }),
      remove: () => rm(folder, { recursive: true }),
    };
  },
  async createMigrated() {
    migratedFile ??= migrateFile();
    const created = await this.createDatabase();
    if (created.location.kind === 'sqlite')
      await copyFile(await migratedFile, created.location.file);
    return created;
  },
};

let migratedFile: Promise<string> | undefined;

/** Migrates a file once per process, to be copied. */
async function migrateFile(): Promise<string> {
  const folder = await mkdtemp(join(filesFolder, 'pastpaper-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const file = join(folder, 'migrated.db');
  await (await openDatabase({ kind: 'sqlite', file })).destroy();
  return file;
}

export const postgres: Engine = {
  name: 'PostgreSQL',
  skip: noServer,
  async createDatabase() {
    const name = `pastpaper_${randomUUID().replaceAll('-', '')}`;
    await runOnServer(`create database ${name}`);
    const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
    return {
      location: { kind: 'postgres', url },
      url,
      dialect: () => new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
      remove: () => runOnServer(`drop database ${name} with (force)`),
    };
  },
  createMigrated() {
    return this.createDatabase();
  },
};

/** The engine of a test run: SQLite, or PostgreSQL with `npm run test:long -- postgres`. */
export const engine = process.env['TEST_STORE'] === 'postgres' ? postgres : sqlite;

/** Runs a statement on the server. */
async function runOnServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 15_000 });
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}
