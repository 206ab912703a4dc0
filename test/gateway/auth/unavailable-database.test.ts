import assert from 'node:assert/strict';
import { copyFile, link, rename, rm } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { readSessionSecret } from '../../../gateway/auth/users/credentials.ts';
import { runGateway } from '../running-gateway.ts';
import { sharedGateway } from './set-ups.ts';
import { newUser, signedIn, statusOf, Visitor } from './users/visitor.ts';

const tables = ['users', 'sessions', 'logins', 'verifications', 'accounts', 'keys'];

describe('A database that is unavailable', async () => {
  const running = await sharedGateway();
  const loggedBefore = running.logged.length;
  const user = newUser();
  const ada = await signedIn(running.authUrl, user);
  const { id, key } = await ada.createKey();
  const secrets = {
    password: user.password,
    address: user.email,
    key,
    'session token': decodeURIComponent([...ada.cookies.values()].join()).split('.')[0] ?? '',
    'session cookie': [...ada.cookies.values()].join(),
    'token of a link': 'the-token-of-a-link',
    'session secret': await readSessionSecret(running.config, running.system),
    'introspection secret': running.config.introspection?.secret ?? 'none here',
  };

  /** Renames the tables, so that queries fail, while `send` runs. */
  async function withoutTables<Value>(send: () => Promise<Value>): Promise<Value> {
    for (const table of tables) await renameTable(table, `${table}Elsewhere`);
    const value = await send();
    for (const table of tables) await renameTable(`${table}Elsewhere`, table);
    return value;
  }
  const renameTable = (from: string, to: string) =>
    sql`alter table ${sql.id(from)} rename to ${sql.id(to)}`.execute(running.database);

  it('is reported as an outage, without details', async () => {
    const visitor = new Visitor(running.authUrl);
    const responses = await withoutTables(async () => [
      await visitor.signIn(user),
      await visitor.signUp(newUser()),
      await visitor.post('reset-password', {
        token: secrets['token of a link'],
        newPassword: user.password,
      }),
      await ada.get('account'),
      await ada.get('keys'),
      await ada.post('keys', { name: 'laptop', expiresIn: null }),
      await ada.post(`keys/${id}/rotate`, { overlap: 0 }),
      await ada.request('DELETE', `keys/${id}`),
    ]);
    const error = 'The service cannot reach its database. Try again in a few seconds.';
    for (const { status, body, headers } of responses) {
      assert.deepEqual([status, body, headers.get('retry-after')], [503, { error }, '5']);
      assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    }
    assert.equal((await ada.get('account')).status, 200, 'it recovers when the tables are back');
  });

  it('does not sign users out', async () => {
    const { headers } = await withoutTables(() => ada.get('account'));
    assert.deepEqual(headers.getSetCookie(), []);
    assert.equal((await ada.get('account')).status, 200);
  });

  it('is logged without secrets', async () => {
    await withoutTables(() => statusOf(running.baseUrl, key));
    const logged = running.logged.slice(loggedBefore).join('\n');
    assert.match(logged, /The accounts could not be read or written\. .*users/);
    for (const [name, secret] of Object.entries(secrets))
      assert.ok(!logged.includes(secret), `the ${name}: ${logged}`);
  });
});

describe('While a gateway runs, a SQLite file', async () => {
  const running = await runGateway({}, 'embedded');
  const { database: location } = running.config;
  assert.ok(location.kind === 'sqlite');
  const { file } = location;
  const [original, copy] = [`${file}.original`, `${file}.copy`];
  const ada = await signedIn(running.authUrl, newUser());
  const { key } = await running.createKey('cached');
  await copyFile(file, copy);
  // A second name of the same file: as long as it exists, the file can be put back.
  await link(file, original);
  // Counts that could not be written before the file was overwritten cannot be written at the end.
  after(() =>
    running.close().catch((error: Error) => assert.match(error.message, /Restart this process/)),
  );

  const download = (token: string) => statusOf(running.baseUrl, token);
  const messages = () => running.logged.filter((line) => line.includes('Restart this process'));

  const rows: readonly (readonly [string, () => Promise<void>])[] = [
    ['deleted', () => rm(file)],
    [
      'replaced by a rename',
      () => copyFile(copy, `${file}.new`).then(() => rename(`${file}.new`, file)),
    ],
    ['deleted and restored from a copy', () => rm(file).then(() => copyFile(copy, file))],
  ];
  for (const [name, change] of rows) {
    it(`that is ${name} causes 502 and 503, and one log line that says to restart`, async () => {
      assert.equal(await download(key), 200);
      const { key: uncached } = await running.createKey('uncached');
      running.logged.length = 0;
      await change();
      assert.equal(await download(uncached), 502);
      // A cached key may be accepted for another second.
      await running.pass(1000);
      assert.deepEqual([await download(key), await download(uncached)], [502, 502]);
      const created = await ada.post('keys', { name: 'laptop', expiresIn: null });
      assert.deepEqual([created.status, (await ada.get('account')).status], [503, 503]);
      const lines = messages().filter((line) => line.startsWith('The keys could not be read.'));
      assert.equal(lines.length, 1, running.logged.join('\n'));
      assert.ok(lines[0]?.includes(`The database file ${file} was deleted or replaced.`));
      assert.equal((await fetch(`${running.baseUrl}/neet`)).status, 200);

      await link(original, `${file}.back`);
      await rename(`${file}.back`, file);
      assert.deepEqual([await download(key), (await ada.get('account')).status], [200, 200]);
    });
  }

  it('that is overwritten with a copy has the same effect', async () => {
    assert.equal(await download(key), 200);
    // No count is pending: a write while the file is copied could damage it.
    await running.flush();
    running.logged.length = 0;
    await copyFile(copy, file);
    assert.equal(await download(key), 502);
    assert.equal((await ada.get('account')).status, 503);
    assert.equal(messages().length, 1, running.logged.join('\n'));
  });
});
