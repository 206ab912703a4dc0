import { readFileSync } from 'node:fs';
import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, Migrator, sql } from 'kysely';

/** The migrations of `migrations.sql`, by their names. A statement ends with a semicolon at the end of a line. */
export const migrations: Record<string, Migration> = Object.fromEntries(
  readFileSync(new URL('migrations.sql', import.meta.url), 'utf8')
    .split(/^-- migration /m)
    .slice(1)
    .map((section) => {
      const [, name = '', text = ''] = /^([^\n]*)\n(.*)$/s.exec(section) ?? [];
      return [
        name,
        {
          up: (db) =>
            runAll(
              db,
              text.split(/;$/m).filter((statement) => statement.trim() !== ''),
            ),
        },
      ];
    }),
);

async function runAll(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/**
 * Runs the migrations that the database does not have yet.
 *
 * @param disableTransactions if the caller has begun one
 * @throws the database's own error, or one that says that a newer version has migrated it
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  disableTransactions = false,
): Promise<void> {
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db, provider, disableTransactions }).migrateToLatest();
  if (!error) return;
  const query = sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`;
  const { rows } = await query.execute(db).catch(() => ({ rows: [] }));
  const newer = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
  if (newer.length === 0) throw error;
  throw new Error(
    `This database was made by a newer version of Pastpaper (${newer.join(', ')}). ` +
      'Install that version, or restore a backup.',
  );
}
