import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { createKey, revokeKey } from '../../../gateway/auth/keys.ts';
import { openDatabase, openStore } from '../../../gateway/auth/store/store.ts';
import type { Database } from '../../../gateway/auth/store/tables.ts';
import { lastUsedWriter, verifyStoredKeys } from '../../../gateway/auth/verify-keys.ts';
import { advance, FakeSystem } from '../fake-system.ts';
import { addUsage } from './add-usage.ts';
import { sqlite } from './engines.ts';
import { operatorKey } from './open-store.ts';

const { location, remove } = await sqlite.createMigrated();
/** The connection of another process. */
const elsewhere = await openDatabase(location);
const plans = { free: { perSecond: 2, perMonth: 1000 }, large: { perSecond: 9, perMonth: 1000 } };
const logged: string[] = [];
const log = (message: string) => void logged.push(message);
const system = new FakeSystem();
const store = await openStore(location, system);
const lastUsed = lastUsedWriter(store.background, assert.fail);
const verify = verifyStoredKeys(
  store.database,
  'pfx_',
  plans,
  lastUsed,
  system,
  log,
  store.dataVersion,
);
after(async () => {
  await lastUsed.close();
  await elsewhere.destroy();
  await store.close();
  await remove();
});

const newKey = (database: Database, account = 'reader') =>
  createKey(database, system, operatorKey({ account }));

describe('A key in the cache', () => {
  it('is checked synchronously, valid or unknown', async () => {
    const { key } = await newKey(store.database);
    for (const [token, state] of [
      [key, 'valid'],
      [(await newKey(elsewhere)).key.replace('pfx_', 'pfx-'), 'unknown'],
    ] as const) {
      await verify(token);
      const again = verify(token);
      assert.ok(!(again instanceof Promise));
      assert.equal(again.state, state);
    }
  });

  for (const [where, database] of [
    ['by this process', store.database],
    ['by another process', elsewhere],
  ] as const) {
    it(`is rejected after it was revoked ${where}`, async () => {
      for (let time = 0; time < 5; time += 1) {
        const { key, id } = await newKey(database);
        assert.equal((await verify(key)).state, 'valid');
        await nextTurn();
        await revokeKey(database, system, id);
        await nextTurn();
        assert.equal((await verify(key)).state, 'revoked');
      }
    });

    it(`is valid after it was created ${where}, although it was cached as unknown`, async () => {
      const { key, id } = await newKey(database);
      const row = await database
        .selectFrom('keys')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      await database.deleteFrom('keys').where('id', '=', id).execute();
      await nextTurn();
      assert.equal((await verify(key)).state, 'unknown');
      await nextTurn();
      await database.insertInto('keys').values(row).execute();
      await nextTurn();
      assert.equal((await verify(key)).state, 'valid');
    });

    it(`is on the plan that its account was moved to ${where}`, async () => {
      const { key } = await newKey(database, `mover ${where}`);
      const planOf = async () => {
        await nextTurn();
        const check = await verify(key);
        return check.state === 'valid' ? check.plan : check.state;
      };
      assert.equal(await planOf(), 'free');
      await database
        .updateTable('accounts')
        .set({ plan: 'large' })
        .where('name', '=', `mover ${where}`)
        .execute();
      assert.equal(await planOf(), 'large');
    });
  }

  it('has its last use written once a minute, however often it is used', async () => {
    await sql`create table "writesOfLastUse" (key text)`.execute(elsewhere);
    await sql`
      create trigger "countLastUse" after update of "lastUsedAt" on keys
      begin insert into "writesOfLastUse" values (new.id); end
    `.execute(elsewhere);
    const { key, id } = await newKey(elsewhere);
    for (const [passed, expected] of [
      [0, 1],
      [59_999, 1],
      [1, 2],
    ] as const) {
      advance(passed);
      for (let use = 0; use < 3; use += 1) {
        assert.equal((await verify(key)).state, 'valid');
        await lastUsed.close();
      }
      const { rows } = await sql`select * from "writesOfLastUse" where key = ${id}`.execute(
        elsewhere,
      );
      assert.equal(rows.length, expected, `after ${passed} ms more`);
    }
  });

  it('stays valid while usage is written, until it is revoked', async () => {
    const { key, id } = await newKey(elsewhere);
    assert.equal((await verify(key)).state, 'valid');
    for (let batch = 0; batch < 3; batch += 1) {
      let writing = true;
      const entries = [{ account: 'reader', day: '2026-11-21', used: 1 }];
      const written = addUsage(store.background, entries).finally(() => {
        writing = false;
      });
      while (writing) {
        assert.equal((await verify(key)).state, 'valid');
        await nextTurn();
      }
      await written;
    }
    await revokeKey(elsewhere, system, id);
    await nextTurn();
    assert.equal((await verify(key)).state, 'revoked');
    assert.deepEqual(logged, []);
  });
});
