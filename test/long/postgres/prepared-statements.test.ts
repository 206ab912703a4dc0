import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { createKey } from '../../../gateway/auth/keys.ts';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import { lastUsedWriter, verifyStoredKeys } from '../../../gateway/auth/verify-keys.ts';
import { systemClock } from '../../../gateway/clock.ts';
import { readConfig } from '../../../gateway/config.ts';
import { realSystem } from '../../../gateway/system.ts';
import { postgres } from '../../gateway/auth/engines.ts';
import { operatorKey } from '../../gateway/auth/open-store.ts';

/** A database whose pool has one connection, because nothing is concurrent, and a key in it. */
async function openWithKey(t: TestContext, settings: Readonly<Record<string, string>> = {}) {
  const testDatabase = await postgres.createDatabase();
  const { database: location, plans } = readConfig(
    { DATABASE_URL: testDatabase.url, ...settings },
    () => '',
  );
  const opened: { destroy(): Promise<void> }[] = [];
  t.after(async () => {
    for (const database of opened) await database.destroy();
    await testDatabase.remove();
  });

  async function connect() {
    const database = await openDatabase(location);
    opened.push(database);
    const lastUsed = lastUsedWriter(database, assert.fail);
    const verify = verifyStoredKeys(database, 'pfx_', plans, lastUsed, systemClock, assert.fail);
    return {
      run: (statement: string) => sql.raw(statement).execute(database),
      stateOf: async () => (await verify(key)).state,
      /** The statements for key checks that the connection has prepared. */
      prepared: async (): Promise<string[]> => {
        const query = sql<{
          name: string;
        }>`select name from pg_prepared_statements where statement like '%"hash" = $1'`;
        return (await query.execute(database)).rows.map(({ name }) => name);
      },
    };
  }

  const database = await openDatabase(location);
  const { key } = await createKey(database, realSystem, operatorKey());
  // Otherwise its last use would be written on a second connection.
  await database.updateTable('keys').set({ lastUsedAt: systemClock.now() }).execute();
  await database.destroy();
  return { ...(await connect()), connect };
}

describe('A key check on PostgreSQL', () => {
  it('is prepared once by a connection', async (t) => {
    const { stateOf, prepared } = await openWithKey(t);
    for (let time = 0; time < 10; time += 1) assert.equal(await stateOf(), 'valid');
    assert.equal((await prepared()).length, 1);
  });

  it('is not prepared with DATABASE_PREPARED_STATEMENTS=off', async (t) => {
    const { stateOf, prepared } = await openWithKey(t, { DATABASE_PREPARED_STATEMENTS: 'off' });
    for (let time = 0; time < 10; time += 1) assert.equal(await stateOf(), 'valid');
    assert.deepEqual(await prepared(), []);
  });

  const changes = {
    'the connection was reset': 'discard all',
    'the type of a column changed': 'alter table accounts alter column plan type varchar(100)',
    'a table was restored': `begin; create table restored (like keys including all); insert into restored select * from keys;
      drop table keys; alter table restored rename to keys; commit`,
  };
  for (const [what, statements] of Object.entries(changes)) {
    it(`succeeds, and is prepared again, after ${what}`, async (t) => {
      const { stateOf, prepared, run } = await openWithKey(t);
      for (let time = 0; time < 10; time += 1) assert.equal(await stateOf(), 'valid');
      await run(statements);
      for (let time = 0; time < 2; time += 1) assert.equal(await stateOf(), 'valid');
      assert.equal((await prepared()).length, 1);
    });
  }

  it('succeeds when another client of a shared connection has prepared it', async (t) => {
    const { stateOf, prepared, connect } = await openWithKey(t);
    await stateOf();
    const [name] = await prepared();
    const shared = await connect();
    await shared.run(`prepare "${name}" as select 'another'`);
    assert.equal(await shared.stateOf(), 'valid');
  });
});
