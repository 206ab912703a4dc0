import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { postgres, sqlite } from '../../gateway/accounts/engines.ts';
import { signedIn, Visitor } from '../../gateway/accounts/users/visitor.ts';
import { startServer } from '../../gateway/server-process.ts';

const development = {
  NODE_ENV: '',
  INTROSPECTION_SECRET: 'a-secret-between-gateway-and-service',
};

/** Starts a service without a release. */
const start = (changes: Readonly<Record<string, string>> = {}) =>
  startServer('auth', { ...development, DIST_DIR: 'none', ...changes });

describe('npm run auth', () => {
  it('prints the INTROSPECTION_URL, with which a gateway accepts the keys of users, but no secret or key', async () => {
    const started = await start();
    const [, INTROSPECTION_URL = ''] =
      /^ {2}for gateways {3}INTROSPECTION_URL=(\S+)$/m.exec(started.output.stdout) ?? [];
    const ada = await signedIn(`${started.origin}/auth`);
    const { key } = (await ada.post('keys', { name: 'laptop', expiresIn: null })).body;
    const gateway = await startServer('gateway', { ...development, INTROSPECTION_URL });
    const baseUrl = gateway.origin;
    const statuses: number[] = [];
    for (const token of [key, `${key}x`]) {
      const headers = { Authorization: `Bearer ${token}` };
      statuses.push((await fetch(`${baseUrl}/neet/2024/s1/physics.json`, { headers })).status);
    }
    const elsewhere = await fetch(`${baseUrl}/auth/settings`);
    const ended = [await gateway.stop(), await started.stop('SIGINT')];
    assert.deepEqual([statuses, elsewhere.status], [[200, 403], 404]);
    for (const { status, stdout, stderr } of ended) {
      assert.deepEqual([status, stderr], [0, '']);
      assert.doesNotMatch(stdout, /pfx_|a-secret/);
    }
    await assert.rejects(new Visitor(`${started.origin}/auth`).get('settings'));
  });

  it('is ready without a release, serves no pages, and writes nothing about invalid requests to standard error', async () => {
    const started = await start({ ADMIN_PORT: '0' });
    const ada = await signedIn(`${started.origin}/auth`);
    const visitor = new Visitor(`${started.origin}/auth`);
    await visitor.post('sign-in/email', {
      email: 'ada@example.org',
      password: 'a phrase of words',
    });
    await visitor.post('sign-in/email', { email: { toString: 1 } });
    await visitor.post('sign-up/email', {
      name: 'Ada',
      email: 'ada@example.org',
      password: 'short',
    });
    const statuses = [
      (await ada.get('account')).status,
      (await fetch(`${started.origin}/dashboard/`)).status,
      (await fetch(`${started.adminOrigin}/readyz`)).status,
    ];
    const { stderr } = await started.stop();
    assert.deepEqual([statuses, stderr], [[200, 404, 200], '']);
    assert.match(started.output.stdout, /for users {6}the dashboard of a gateway/);
  });

  it('keeps sessions across a restart, signed with a secret that only the owner of the file can read', async () => {
    const DATA_DIR = join(await temporaryFolder(), 'data');
    const first = await start({ DATA_DIR });
    const ada = await signedIn(`${first.origin}/auth`);
    await first.stop();
    const file = join(DATA_DIR, 'session-secret');
    const [kept, { mode }] = [await readFile(file, 'utf8'), await stat(file)];
    const second = await start({ DATA_DIR });
    const response = await ada.get(`${second.origin}/auth/account`);
    await second.stop();
    assert.deepEqual([response.status, mode & 0o777, kept.length], [200, 0o600, 43]);
    assert.equal(await readFile(file, 'utf8'), kept);
  });
});

for (const engine of [sqlite, postgres])
  it(`npm run auth on ${engine.name} signs sessions with SESSION_SECRET, which several processes accept`, {
    skip: engine.skip,
  }, async () => {
    const testDatabase = await engine.createDatabase();
    const SESSION_SECRET = 'what-all-of-the-processes-sign-with';
    const DATA_DIR = join(await temporaryFolder(), 'data');
    const env = { DATABASE_URL: testDatabase.url, SESSION_SECRET };
    const [one, two] = await Promise.all([start({ ...env, DATA_DIR }), start(env)]);
    const ada = await signedIn(`${one.origin}/auth`);
    const { status } = await ada.get(`${two.origin}/auth/account`);
    const ended = await Promise.all([one.stop(), two.stop()]);
    await testDatabase.remove();
    assert.equal(status, 200);
    for (const end of ended) assert.deepEqual([end.status, end.stderr], [0, '']);
    await assert.rejects(stat(join(DATA_DIR, 'session-secret')));
  });
