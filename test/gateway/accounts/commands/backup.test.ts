import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Sqlite from 'libsql';
import { usages } from '../../../../build/command-line/usage.js';
import { main as accountsMain } from '../../../../gateway/accounts/commands/accounts.ts';
import { main } from '../../../../gateway/accounts/commands/backup.ts';
import { createKey } from '../../../../gateway/accounts/keys.ts';
import { openDatabase } from '../../../../gateway/accounts/store/store.ts';
import { temporaryFolder } from '../../../build/bank-folder.ts';
import { runInProcess } from '../../../in-process.ts';
import { FakeSystem } from '../../fake-system.ts';
import { runGateway } from '../../running-gateway.ts';
import { postgres, sqlite } from '../engines.ts';
import { operatorKey } from '../open-store.ts';
import { behindProxy } from '../set-ups.ts';
import { newUser, signedIn, statusOf, Visitor } from '../users/visitor.ts';

const folder = await temporaryFolder();
const DATA_DIR = join(folder, 'data');
const backups = join(folder, 'backups');
await mkdir(backups);

const system = new FakeSystem();
const backup = (args: readonly string[], env: Readonly<Record<string, string>> = { DATA_DIR }) =>
  runInProcess((own, io) => main(own, usages['backup'] ?? '', io), args, env);

describe('pastpaper backup', async () => {
  const file = join(DATA_DIR, 'pastpaper.db');
  const database = await openDatabase({ kind: 'sqlite', file });
  after(() => database.destroy());
  const { id } = await createKey(database, system, operatorKey());

  it('copies the database while it is open, for its owner alone, and nothing of an open transaction', async () => {
    const copy = join(backups, 'first.db');
    const writer = new Sqlite(file);
    writer.exec('begin immediate');
    writer.exec('delete from keys');
    const { status, stdout, stderr } = await backup([copy]);
    writer.exec('rollback');
    writer.close();
    const { size, mode } = await stat(copy);
    const message = `Copied ${file} to ${copy} (${size.toLocaleString('en-GB')} bytes).\n`;
    assert.deepEqual([status, stderr, stdout, mode & 0o777], [0, '', message, 0o600]);
    const copied = new Sqlite(copy);
    assert.deepEqual(copied.prepare('select id from keys').all(), [{ id }]);
    assert.deepEqual(copied.pragma('integrity_check'), [{ integrity_check: 'ok' }]);
    copied.close();
    assert.deepEqual(await readdir(backups), ['first.db']);
    const other = join(backups, 'other.db');
    const printed = JSON.parse((await backup([other, '--json'])).stdout);
    assert.deepEqual(printed, { file: other, bytes: (await stat(other)).size });
  });

  it('overwrites no file, and leaves none if it cannot copy', async () => {
    const before = await readdir(backups);
    const existing = await backup([join(backups, 'first.db')]);
    assert.equal(existing.status, 1);
    assert.match(existing.stderr, /already exists\. Choose another name: a backup never overwr/);
    const missing = { DATA_DIR: join(folder, 'missing') };
    const noFolder = await backup([join(folder, 'nowhere', 'x.db')]);
    const noDatabase = await backup([join(backups, 'x.db')], missing);
    assert.deepEqual([noFolder.status, noDatabase.status], [2, 2]);
    assert.match(noFolder.stderr, /^The database \S+pastpaper\.db cannot be copied to \S+x\.db: E/);
    assert.match(noDatabase.stderr, /^The data folder \S+missing does not exist, so nothing was/);
    assert.deepEqual(await readdir(backups), before);
    assert.deepEqual(await readdir(folder), ['backups', 'data'], 'no database is created');
  });

  it('prints the command for PostgreSQL, and exits with 2', async () => {
    const env = { DATABASE_URL: 'postgres://pastpaper:hunter2@127.0.0.1:9/keys' };
    const { status, stderr } = await backup(["it's.dump"], env);
    assert.equal(status, 2);
    assert.match(stderr, /^ {2}pg_dump --format=custom --file='it'\\''s\.dump' "\$DATABASE_URL"$/m);
    assert.doesNotMatch(stderr, /hunter2/);
  });
});

describe('pastpaper accounts restore', async () => {
  const accounts = (args: readonly string[], DATABASE_URL: string) =>
    runInProcess((own, io) => accountsMain(own, usages['accounts'] ?? '', io), args, {
      DATABASE_URL,
    });
  const before = await runGateway(behindProxy, 'embedded');
  after(() => before.close());
  const user = newUser();
  const { key } = await (await signedIn(before.authUrl, user)).createKey();
  const file = join(folder, 'moved.db');
  assert.equal((await backup([file], { DATABASE_URL: before.databaseUrl })).status, 0);

  for (const engine of [sqlite, postgres]) {
    it(`copies users, keys and usage into an empty database of ${engine.name}`, {
      skip: engine.skip,
    }, async (t) => {
      const empty = await engine.createDatabase();
      const { status, stdout } = await accounts(['restore', file], empty.url);
      assert.equal(status, 0);
      assert.match(
        stdout,
        /^Copied \S+moved\.db\. The rows were compared:\n\nusers +1\nsessions +1\nlogins +1\n/,
      );
      const moved = await runGateway({ ...behindProxy, DATABASE_URL: empty.url }, 'embedded');
      t.after(empty.remove);
      assert.equal((await new Visitor(moved.authUrl).signIn(user)).status, 200);
      assert.equal(await statusOf(moved.baseUrl, key), 200);
      // It writes counts, for which a restore might have to wait.
      await moved.close();
      const second = await accounts(['restore', file], empty.url);
      assert.equal(second.status, 1);
      assert.match(second.stderr, /^The database is not empty: it has users\./m);
    });
  }

  it('copies a file that a crash has left with a journal, without what was not committed', async () => {
    const crashed = join(folder, 'crashed.db');
    const writer = new Sqlite(file);
    // Changes that do not fit into memory are in the file before they are committed.
    writer.pragma('cache_size = 1');
    writer.exec('begin immediate; delete from keys; delete from accounts');
    const row = writer.prepare('insert into "usageBatches" values (?, 0)');
    for (let index = 0; index < 1000; index += 1) row.run(`a long id of a batch ${index}`);
    for (const end of ['', '-journal']) await copyFile(file + end, crashed + end);
    writer.exec('rollback');
    writer.close();
    const empty = await sqlite.createDatabase();
    const { status, stdout } = await accounts(['restore', crashed], empty.url);
    assert.equal(status, 0);
    assert.match(stdout, /\nkeys +2\n[\s\S]*\nusageBatches +0\n/);
    await empty.remove();
  });

  it('copies nothing if a row is missing in the end, or from a file that is none', async () => {
    const { location, url, remove } = await sqlite.createMigrated();
    const target = new Sqlite('file' in location ? location.file : '');
    target.exec('create trigger other after insert on keys begin delete from keys; end');
    const { status, stderr } = await accounts(['restore', file], url);
    assert.equal(status, 2);
    assert.match(stderr, /^The copy of keys differs from keys in the file, so nothing was copied/m);
    const missing = await accounts(['restore', `${file}x`], url);
    assert.match(missing.stderr, /^There is no file \S+x\.$/m);
    assert.deepEqual(target.prepare('select count(*) as rows from users').all(), [{ rows: 0 }]);
    target.close();
    await remove();
  });
});
