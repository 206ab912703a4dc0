import { Kysely, Migrator, PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrations } from './migrations.ts';
import type { Database } from './tables.ts';

/** Connections to keep: enough for the look-ups that one process has under way. */
const connections = 10;
/** Milliseconds for a connection, and for the answer to a statement: no request waits for ever. */
const connectTimeout = 2000;
const statementTimeout = 2000;
/** Milliseconds for a migration, which may have a large table to change. */
const migrationTimeout = 600_000;

/**
 * Opens a PostgreSQL database.
 *
 * @param url `postgres://user:password@host:port/name`
 * @throws the server's or the connection's own error
 */
export async function openPostgres(url: string): Promise<Database> {
  await migrate(url);
  return connect(url, statementTimeout);
}

/** With an advisory lock of the server, so that of several processes that start at once one does it. */
async function migrate(url: string): Promise<void> {
  const database = connect(url, migrationTimeout);
  try {
    const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  } finally {
    await database.destroy();
  }
}

function connect(url: string, timeout: number): Database {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'pastpaper',
    max: connections,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: timeout,
    statement_timeout: timeout,
    keepAlive: true,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
  });
  // A connection that breaks while nothing uses it is replaced by the next statement that needs one.
  pool.on('error', () => {});
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

/** Moments and counts are far below 2^53: they are read as numbers, as SQLite gives them. */
function typeParser(type: number, format?: 'text' | 'binary'): unknown {
  return type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format as 'text');
}
