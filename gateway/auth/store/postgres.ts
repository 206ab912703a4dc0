import type { Socket } from 'node:net';
import { Kysely, Migrator, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { migrations } from './migrations.ts';
import type { Database } from './tables.ts';

/** Connections to keep: enough for the look-ups that one process has under way. */
const connections = 10;
/** Milliseconds for a connection, and for a statement: no request waits for ever. */
const connectTimeout = 2000;
const statementTimeout = 2000;
/** Milliseconds more until an answer is given up: the server, if it can, is the one to say that it is late. */
const grace = 1000;
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

/** Opens a PostgreSQL database as it is, to be looked at. It connects when it is first asked. */
export function lookAtPostgres(url: string): Database {
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
    query_timeout: timeout + grace,
    statement_timeout: timeout,
    // Where the network loses a connection halfway, the server must not keep its locks until it finds out.
    idle_in_transaction_session_timeout: timeout + grace,
    keepAlive: true,
    // No process stays for the farewells of connections that hang.
    allowExitOnIdle: true,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
  });
  // A connection that breaks while nothing uses it is replaced by the next statement that needs one; where one
  // breaks in use, the statement's own error tells.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely({ dialect: new PostgresDialect({ pool: new WaryPool(pool) }) });
}

/**
 * A pool that takes no connection back after anything but an answer of the server, be it an error: on one that
 * hangs, every statement to come would hang as well.
 */
class WaryPool implements PostgresPool {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw named(error);
    });
    let isLost = false;
    const query = (text: string, values: readonly unknown[]): Promise<unknown> =>
      client.query(text, [...values]).catch((error: unknown) => {
        if (error instanceof pg.DatabaseError) throw error;
        isLost = true;
        throw named(error);
      });
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release: () => (isLost ? abandon(client) : client.release()),
    };
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

/** pg gives some errors of a connection no code, by which a database's errors are known. */
function named(error: unknown): unknown {
  if (error instanceof Error && !('code' in error)) Object.assign(error, { code: 'CONNECTION_LOST' });
  return error;
}

/** Ends a connection without a farewell, for which a server that hangs would let it wait. */
function abandon(client: pg.PoolClient): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  client.release(true);
}

/** Moments and counts are far below 2^53: they are read as numbers, as SQLite gives them. */
function typeParser(type: number, format?: 'text' | 'binary'): unknown {
  return type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format as 'text');
}
