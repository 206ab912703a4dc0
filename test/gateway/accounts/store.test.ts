import assert from 'node:assert/strict';
import { copyFile, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Kysely, Migrator, sql } from 'kysely';
import { listAccounts } from '../../../gateway/accounts/accounts.ts';
import { createKey, listKeys } from '../../../gateway/accounts/keys.ts';
import { migrations } from '../../../gateway/accounts/store/migrations.ts';
import {
  isDatabaseError,
  openDatabase,
  StorageError,
} from '../../../gateway/accounts/store/store.ts';
import type { Tables } from '../../../gateway/accounts/store/tables.ts';
import { storedUsage } from '../../../gateway/accounts/usage.ts';
import { runGateway } from '../running-gateway.ts';
import { engine, sqlite, type TestDatabase } from './engines.ts';
import { openStore, operatorKey } from './open-store.ts';
import { newUser, Visitor } from './users/visitor.ts';

describe(`The database, with ${engine.name}`, async () => {
  const { clock, close } = await openStore(engine);
  after(close);

  it('is migrated once when several processes open it at the same time', async () => {
    const empty = await engine.createDatabase();
    const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase(empty.location)));
    for (const one of opened) {
      await createKey(one, clock, operatorKey());
      assert.equal(
        (await listKeys(one, clock)).keys.every(({ state }) => state === 'active'),
        true,
      );
      await one.destroy();
    }
    await empty.remove();
  });

  it('keeps its accounts, keys and counts when it is migrated from an earlier version', async () => {
    const old = await engine.createDatabase();
    await makeEarlierVersion(old);
    const upgraded = await openDatabase(old.location);
    const [listed] = (await listKeys(upgraded, clock)).keys;
    assert.deepEqual(
      [listed?.id, listed?.account, listed?.name, listed?.lastUsedAt],
      ['key_1', 'school', '', null],
    );
    const usage = await upgraded.selectFrom('usage').selectAll().execute();
    assert.deepEqual(usage, [{ account: 'acc_1', month: '2026-11', used: 7 }]);
    const counts = { used: 7, rejectedByRate: 0, rejectedByQuota: 0 };
    const { days, keys } = await storedUsage(upgraded).readMonth('acc_1', '2026-11');
    assert.deepEqual([days, keys], [[{ day: '2026-11-07', ...counts }], [{ key: '', ...counts }]]);
    const [account] = await listAccounts(upgraded, clock);
    assert.deepEqual([account?.state, account?.used], ['active', 7]);
    await upgraded.destroy();
    await old.remove();
  });

  it('of a newer version is rejected, and not changed', async () => {
    const newer = await engine.createDatabase();
    const later = await openDatabase(newer.location);
    await sql`insert into kysely_migration (name, timestamp) values ('2100-01-01-later', 'then')`.execute(
      later,
    );
    const stored =
      newer.location.kind === 'sqlite' ? await readFile(newer.location.file) : undefined;
    await assert.rejects(openDatabase(newer.location), (error) => {
      assert.ok(error instanceof StorageError);
      assert.match(
        error.message,
        /cannot be used: This database was made by a newer version of Pastpaper \(2100-01-01-later\)\. /,
      );
      assert.match(error.message, / Install that version, or restore a backup\.$/);
      return true;
    });
    if (newer.location.kind === 'sqlite')
      assert.deepEqual(await readFile(newer.location.file), stored, 'no byte is changed');
    // No lock is left behind.
    await sql`delete from kysely_migration where name = '2100-01-01-later'`.execute(later);
    await later.destroy();
    await (await openDatabase(newer.location)).destroy();
    await newer.remove();
  });
});

/** Creates the tables of the first version, with a row in each. */
async function makeEarlierVersion(testDatabase: TestDatabase): Promise<void> {
  const db = new Kysely<Tables>({ dialect: testDatabase.dialect() });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateTo('2026-11-21-accounts-keys-usage');
  assert.equal(error, undefined);
  const createdAt = Date.UTC(2026, 10, 1);
  const account = { id: 'acc_1', name: 'school', plan: 'free', createdAt };
  const key = { id: 'key_1', accountId: 'acc_1', hash: 'x', start: 'pfx_AbCd', createdAt };
  await sql`insert into accounts ${columns(account)}`.execute(db);
  await sql`insert into keys ${columns(key)}`.execute(db);
  await sql`insert into usage ${columns({ account: 'acc_1', month: '2026-11', used: 7 })}`.execute(
    db,
  );
  await migrator.migrateTo('2026-11-23-usage-by-key');
  await sql`insert into "dailyUsage" ${columns({ account: 'acc_1', day: '2026-11-07', used: 7 })}`.execute(
    db,
  );
  await db.destroy();
}

function columns(row: Readonly<Record<string, string | number>>) {
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  return sql`(${names}) values (${sql.join(Object.values(row))})`;
}

describe('A SQLite file', async () => {
  const { database, testDatabase, clock, close } = await openStore(sqlite);
  after(close);
  const { location } = testDatabase;
  assert.ok(location.kind === 'sqlite');
  const { file } = location;

  it('can only be read by its owner', async () => {
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const folder = join(dirname(file), 'made');
    const made = await openDatabase({ kind: 'sqlite', file: join(folder, 'keys.db') });
    await made.destroy();
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  it('contains no key', async () => {
    const { key } = await createKey(database, clock, operatorKey());
    const bytes = await readFile(file);
    assert.ok(bytes.includes(key.slice(0, 8)));
    assert.ok(!bytes.includes(key.slice(8)));
  });

  for (const how of ['deleted', 'replaced by a copy'])
    it(`that is ${how} while a gateway runs serves its keys, and nothing is written to either file`, async () => {
      const running = await runGateway({}, 'embedded');
      const { key } = await running.createKey('reader');
      const file = running.databaseUrl.replace('file:', '');
      const copy = `${file}.copy`;
      await copyFile(file, copy);
      if (how === 'deleted') await rm(file);
      else await rename(copy, file);
      const headers = { Authorization: `Bearer ${key}` };
      const paper = await fetch(`${running.baseUrl}/neet/2024/s1/physics.json`, { headers });
      const { status } = await new Visitor(running.authUrl).signUp(newUser());
      const page = await fetch(`${running.baseUrl}/neet`);
      assert.deepEqual([paper.status, status, page.status], [200, 503, 200]);
      await assert.rejects(running.flush(), isDatabaseError);
      assert.match(running.logged.join('\n'), /^Usage could not be written/m);
      await assert.rejects(running.close(), isDatabaseError);
    });
});
