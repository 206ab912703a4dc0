import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { postgres } from '../../gateway/auth/engines.ts';
import { occupiedPort } from '../../gateway/auth/users/occupied-port.ts';
import { signedIn, Visitor } from '../../gateway/auth/users/visitor.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import { type CommandResult, type StartedProcess, startPastpaper } from '../../gateway/started-process.ts';

const service = 'auth';
const secret = 'a-secret-between-gateway-and-service';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
after(() => rm(folder, { recursive: true }));
const distDir = await sampleRelease();

let folders = 0;

/** The settings of a service with its own data folder, and without a release. */
function settings(changes: Readonly<Record<string, string>> = {}): Record<string, string> {
  folders += 1;
  const own = { DATA_DIR: join(folder, `data-${folders}`), DIST_DIR: join(folder, 'none') };
  return { PORT: '0', INTROSPECTION_SECRET: secret, ...own, ...changes };
}

interface StartedService extends StartedProcess {
  readonly origin: string;
  readonly printedText: string;
}

async function start(env: Readonly<Record<string, string>>): Promise<StartedService> {
  const started = startPastpaper(service, env);
  const [, origin = ''] = await started.waitForOutput(/listens at (http:\/\/\S+)\/\n/);
  const [printedText] = await started.waitForOutput(/^[\s\S]*for users .*\n/);
  return { ...started, origin, printedText };
}

async function stop(started: StartedProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<CommandResult> {
  started.process.kill(signal);
  return started.ended;
}

describe('npm run auth', () => {
  it('prints the INTROSPECTION_URL, with which a gateway accepts the keys of users', async () => {
    const started = await start(settings());
    const [, introspectionUrl = ''] =
      /^ {2}for gateways {3}INTROSPECTION_URL=(\S+)$/m.exec(started.printedText) ?? [];
    const ada = await signedIn(`${started.origin}/auth`);
    const { key } = (await ada.post('keys', { name: 'laptop', expiresIn: null })).body;
    const gateway = startPastpaper('gateway', {
      ...settings({ DIST_DIR: distDir }),
      INTROSPECTION_URL: introspectionUrl,
    });
    const [, baseUrl] = await gateway.waitForOutput(/at (http:\/\/\S+)\/\n/);
    const statuses: number[] = [];
    for (const token of [key, `${key}x`]) {
      const headers = { Authorization: `Bearer ${token}` };
      statuses.push((await fetch(`${baseUrl}/neet/2024/s1/physics.json`, { headers })).status);
    }
    const elsewhere = await fetch(`${baseUrl}/auth/settings`);
    const ended = [await stop(gateway), await stop(started)];
    assert.deepEqual([statuses, elsewhere.status], [[200, 403], 404]);
    assert.deepEqual(
      ended.map(({ status, stderr }) => [status, stderr]),
      [
        [0, ''],
        [0, ''],
      ],
    );
  });

  it('prints neither a secret nor a key', async () => {
    const { stdout } = await stop(await start(settings()));
    assert.doesNotMatch(stdout, /pfx_|a-secret/);
  });

  it('serves the pages of a release, and none of its papers', async () => {
    const started = await start(settings({ DIST_DIR: distDir }));
    const statusOf = async (path: string, method = 'GET') =>
      (await fetch(`${started.origin}${path}`, { method, redirect: 'manual' })).status;
    const found = [await statusOf('/dashboard/'), await statusOf('/docs/'), await statusOf('/auth/settings')];
    const papers = ['/neet', '/neet/2024', '/neet/2024/s1/physics.json', '/', '/nothing', '/authority'];
    const missing = await Promise.all(papers.map((path) => statusOf(path)));
    const rejected = [
      await statusOf('/dashboard/', 'POST'),
      await statusOf('/neet//'),
      await statusOf('/neet/20x4'),
    ];
    await stop(started);
    assert.deepEqual(found, [200, 200, 200]);
    assert.deepEqual(
      missing,
      papers.map(() => 404),
    );
    assert.deepEqual(rejected, [405, 400, 400]);
    assert.match(started.printedText, /for users {6}http:\S+\/dashboard\/\n/);
  });

  it('works without a release', async () => {
    const started = await start(settings());
    const ada = await signedIn(`${started.origin}/auth`);
    const { status } = await ada.get('account');
    const pages = (await fetch(`${started.origin}/dashboard/`)).status;
    await stop(started);
    assert.deepEqual([status, pages], [200, 404]);
    assert.match(started.printedText, /for users {6}the dashboard of a gateway/);
  });

  it('keeps sessions across a restart, signed with a secret that only the owner of the file can read', async () => {
    const env = settings();
    const first = await start(env);
    const ada = await signedIn(`${first.origin}/auth`);
    await stop(first);
    const file = join(env['DATA_DIR'] ?? '', 'session-secret');
    const [kept, { mode }] = [await readFile(file, 'utf8'), await stat(file)];
    const second = await start(env);
    const response = await ada.get(`${second.origin}/auth/account`);
    await stop(second);
    assert.deepEqual([response.status, mode & 0o777, kept.length], [200, 0o600, 43]);
    assert.equal(await readFile(file, 'utf8'), kept);
  });

  it('signs sessions with SESSION_SECRET if it is set, so that several processes accept them', async () => {
    const env = settings({ SESSION_SECRET: 'what-all-of-the-processes-sign-with' });
    const [one, two] = [
      await start(env),
      await start({
        ...env,
        DATABASE_URL: `file:${env['DATA_DIR']}/pastpaper.db`,
        DATA_DIR: join(folder, 'other'),
      }),
    ];
    const ada = await signedIn(`${one.origin}/auth`);
    const { status } = await ada.get(`${two.origin}/auth/account`);
    await Promise.all([stop(one), stop(two)]);
    assert.equal(status, 200);
    await assert.rejects(stat(join(env['DATA_DIR'] ?? '', 'session-secret')));
  });

  it('serves health and readiness on ADMIN_PORT', async () => {
    const { port, close } = await occupiedPort();
    await close();
    const started = await start(settings({ ADMIN_PORT: String(port) }));
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    const statuses = [await statusOf('/livez'), await statusOf('/readyz'), await statusOf('/auth/settings')];
    const { status } = await stop(started);
    assert.deepEqual([statuses, status], [[200, 200, 404], 0]);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`exits with 0 on ${signal}, and accepts no more requests`, async () => {
      const started = await start(settings());
      const { status, stderr } = await stop(started, signal);
      assert.deepEqual([status, stderr], [0, '']);
      await assert.rejects(new Visitor(`${started.origin}/auth`).get('settings'));
    });
  }

  it('writes nothing about invalid requests to standard error', async () => {
    const started = await start(settings({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'hidden' }));
    const visitor = new Visitor(`${started.origin}/auth`);
    await visitor.post('sign-in/email', { email: 'ada@example.org', password: 'a phrase of words' });
    await visitor.post('sign-in/email', { email: { toString: 1 } });
    await visitor.post('sign-up/email', { name: 'Ada', email: 'ada@example.org', password: 'short' });
    const { stderr } = await stop(started);
    assert.equal(stderr, '');
  });
});

describe('npm run auth on PostgreSQL', { skip: postgres.skip }, () => {
  it('serves users who signed in with another process', async () => {
    const testDatabase = await postgres.createDatabase();
    const env = settings({
      DATABASE_URL: testDatabase.url,
      SESSION_SECRET: 'what-all-of-the-processes-sign-with',
    });
    const [one, two] = await Promise.all([start(env), start(env)]);
    const ada = await signedIn(`${one.origin}/auth`);
    const { status } = await ada.get(`${two.origin}/auth/account`);
    const ended = await Promise.all([stop(one), stop(two)]);
    await testDatabase.remove();
    assert.equal(status, 200);
    assert.deepEqual(
      ended.map((end) => [end.status, end.stderr]),
      [
        [0, ''],
        [0, ''],
      ],
    );
  });
});
