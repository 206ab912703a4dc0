import type { Socket } from 'node:net';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { migrate } from './migrations.ts';
import type { Database } from './tables.ts';

/** Connections in the pool: enough for the concurrent queries of one process. */
const connections = 10;
/** Milliseconds. No request waits longer for a connection or a statement. */
const connectTimeout = 2000;
const statementTimeout = 2000;
/** Milliseconds more until the client gives up, so that the server can report the timeout first. */
const grace = 1000;
/** Milliseconds. A migration may change a large table. */
const migrationTimeout = 600_000;

/** Opens a PostgreSQL database, and migrates its tables. @throws the server's or the connection's own error */
export async function openPostgres(url: string): Promise<Database> {
  const database = connectPostgres(url, migrationTimeout);
  // With an advisory lock of the server: of several processes that start at once, one migrates.
  await migrate(database).finally(() => database.destroy());
  return connectPostgres(url);
}

/** Opens a PostgreSQL database as it is. It connects with the first query. */
function connectPostgres(url: string, timeout = statementTimeout): Database {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'pastpaper',
    max: connections,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: timeout + grace,
    statement_timeout: timeout,
    // When the network loses a connection in a transaction, the server releases its locks.
    idle_in_transaction_session_timeout: timeout + grace,
    keepAlive: true,
    // Idle connections stay open: a request would wait for a new one longer than for several key checks.
    idleTimeoutMillis: 0,
    // Connections that hang do not keep the process running.
    allowExitOnIdle: true,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
  });
  // The next statement replaces a connection that breaks while idle. When one breaks in use, the statement's own error
  // reports it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely({ dialect: new PostgresDialect({ pool: safePool(pool) }) });
}

/** A pool that destroys a connection without a response of the server: if it hangs, later statements would hang, too. */
function safePool(pool: pg.Pool): PostgresPool {
  async function connect(): Promise<PostgresPoolClient> {
    const client = await pool.connect().catch((error: unknown) => {
      throw withCode(error);
    });
    let isLost = false;
    const query = (text: string, values: readonly unknown[]): Promise<unknown> =>
      client.query(text, [...values]).catch((error: unknown) => {
        if (error instanceof pg.DatabaseError) throw error;
        isLost = true;
        throw withCode(error);
      });
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release: () => (isLost ? destroy(client) : client.release()),
    };
  }
  return { connect, end: () => pool.end() };
}

/** Adds a code to pg's connection errors without one, for `isDatabaseError`. */
function withCode(error: unknown): unknown {
  if (error instanceof Error && !('code' in error))
    Object.assign(error, { code: 'CONNECTION_LOST' });
  return error;
}

/** Closes a connection without the protocol's farewell, which would wait for a server that hangs. */
function destroy(client: pg.PoolClient): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  client.release(true);
}

/** Reads bigint as a number, as SQLite does: times and counts are far below 2^53. */
function typeParser(type: number, format?: 'text' | 'binary'): unknown {
  return type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format as 'text');
}
