import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { buildFolder } from '../../build/build-folder.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { sampleRelease } from '../../gateway/sample-release.ts';
import {
  type CommandResult,
  runPastpaper,
  type StartedProcess,
  startCommand,
  startPastpaper,
} from '../../gateway/started-process.ts';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const distDir = await sampleRelease();
after(() => rm(folder, { recursive: true }));

let folders = 0;

/** The settings of a gateway with its own data folder. */
function settings(changes: Readonly<Record<string, string>> = {}): Record<string, string> {
  folders += 1;
  return { PORT: '0', DIST_DIR: distDir, DATA_DIR: join(folder, `data-${folders}`), ...changes };
}

async function start(
  env: Readonly<Record<string, string>>,
): Promise<StartedProcess & { readonly baseUrl: string }> {
  const started = startPastpaper('gateway', env);
  const [, baseUrl = ''] = await started.waitForOutput(/at (http:\/\/\S+)\/\n/);
  await started.waitForOutput(/\n\n {2}curl [\s\S]*\n\n.*\n/);
  return { ...started, baseUrl };
}

async function stop(started: StartedProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<CommandResult> {
  started.process.kill(signal);
  return started.ended;
}

function commands(stdout: string): string[] {
  return [...stdout.matchAll(/^ {2}curl .*$/gm)].map(([line]) => line.trim());
}

/** Makes the request that a printed curl command would. */
async function paste(command: string): Promise<number> {
  const [, authorization, url = ''] = /^curl (?:-H 'Authorization: ([^']+)' )?(\S+)$/.exec(command) ?? [];
  const response = await fetch(url, {
    headers: authorization === undefined ? {} : { Authorization: authorization },
  });
  return response.status;
}

describe('Starting the gateway', () => {
  it('prints its address and a request for one public and one protected endpoint, both of which work', async () => {
    const started = await start(settings());
    const statuses: number[] = [];
    const printed = (await started.waitForOutput(/[\s\S]*/))[0];
    for (const command of commands(printed)) statuses.push(await paste(command));
    const { status, stderr } = await stop(started);
    assert.deepEqual([statuses, status, stderr], [[200, 200], 0, '']);
  });

  it('creates a development key once, and uses it again at the next start', async () => {
    const env = settings();
    const [first, second] = [await stop(await start(env)), await stop(await start(env))];
    assert.deepEqual(
      commands(first.stdout).map((command) => command.replace(/:\d+\//, '/')),
      commands(second.stdout).map((command) => command.replace(/:\d+\//, '/')),
    );
    const kept = await readFile(join(env['DATA_DIR'] ?? '', 'development-key'), 'utf8');
    assert.ok(second.stdout.includes(kept.trim()));
  });

  it('creates no development key in production, or if there are other keys', async () => {
    const production = await stop(await start(settings({ NODE_ENV: 'production' })));
    const env = settings();
    await runPastpaper('keys', env, ['create', '--account', 'school']);
    const beside = await stop(await start(env));
    for (const { stdout } of [production, beside]) {
      assert.match(stdout, /<API_KEY>/);
      assert.doesNotMatch(stdout, /pfx_/);
    }
  });

  it('serves health and readiness on ADMIN_PORT', async () => {
    const { port: adminPort, close } = await occupiedPort();
    await close();
    const started = await start(settings({ ADMIN_PORT: String(adminPort) }));
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${adminPort}${path}`)).status;
    const statuses = [
      await statusOf('/livez'),
      await statusOf('/readyz'),
      await statusOf('/neet'),
      await statusOf('/__proto__'),
    ];
    const { status } = await stop(started);
    assert.deepEqual([statuses, status], [[200, 200, 404, 404], 0]);
  });
});

describe('Starting the gateway while Redis is down', () => {
  it('keeps limits locally, logs it once, and does not log the password', async () => {
    const { port, close } = await occupiedPort();
    await close();
    const started = await start(settings({ REDIS_URL: `redis://:hunter2@127.0.0.1:${port}` }));
    const statuses: number[] = [];
    for (const command of commands((await started.waitForOutput(/[\s\S]*/))[0]))
      statuses.push(await paste(command));
    const { status, stdout, stderr } = await stop(started);
    assert.deepEqual([statuses, status], [[200, 200], 1]);
    assert.equal(
      stderr.match(/Redis is unavailable \(connect ECONNREFUSED .*enforces limits by itself/g)?.length,
      1,
    );
    assert.match(stderr, /The last counts of usage could not be written: Redis is unavailable\./);
    assert.doesNotMatch(stdout + stderr, /hunter2|^\s+at /m);
  });
});

describe('A gateway exits with 2 and an error message for', () => {
  async function fails(env: Readonly<Record<string, string>>, message: RegExp): Promise<void> {
    const { status, stdout, stderr } = await runPastpaper('gateway', env);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /^\s+at /m, 'a stack trace');
    assert.deepEqual([status, stdout], [2, '']);
  }

  it('invalid settings, all in one message', () =>
    fails(settings({ PORT: 'x', TRUST_PROXY: 'y' }), /Invalid settings:\nPORT is "x".*\nTRUST_PROXY/));

  it('a missing release', () =>
    fails(settings({ DIST_DIR: join(folder, 'none') }), /none\/current is missing\. Run pastpaper build\./));

  it('a damaged release', async () => {
    const dist = join(folder, 'damaged');
    await cp(distDir, dist, { recursive: true, verbatimSymlinks: true });
    await truncate(join(dist, 'current', 'public', 'neet', 'index.json'), 5);
    await fails(
      settings({ DIST_DIR: dist }),
      /public\/neet\/index\.json has 5 bytes, not \d+\. Run pastpaper build\./,
    );
    await buildFolder(sampleContentDir, dist);
    await stop(await start(settings({ DIST_DIR: dist })));
  });

  it('a port in use', async () => {
    const { port, close } = await occupiedPort();
    await fails(settings({ PORT: String(port) }), new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use`));
    await fails(settings({ ADMIN_PORT: String(port) }), /is in use.*ADMIN_PORT/);
    await close();
  });

  it('a HOST that is not an address of this machine', () =>
    fails(settings({ HOST: '192.0.2.1' }), /192\.0\.2\.1 is not an address/));

  it('a data folder that cannot be written', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    await fails(
      settings({ DATA_DIR: join(file, 'data') }),
      /The database .*a-file\/data\/pastpaper\.db cannot be used/,
    );
    await fails(
      settings({ DATA_DIR: '/proc/pastpaper' }),
      /The database \/proc\/pastpaper\/pastpaper\.db cannot be used/,
    );
  });

  it('a data folder that cannot be written, with a database elsewhere', async () => {
    const database = `file:${join(folder, 'elsewhere', 'keys.db')}`;
    await fails(
      settings({ DATABASE_URL: database, DATA_DIR: '/proc/pastpaper' }),
      /The data folder \/proc\/pastpaper cannot be written/,
    );
  });

  it('accounts on a plan that is not in PLANS', async () => {
    const plans = join(folder, 'plans.json');
    await writeFile(plans, '{"school": {"perSecond": 20, "perMonth": 5000}}');
    const env = settings();
    await runPastpaper('keys', env, ['create', '--account', 'school']);
    await fails(
      { ...env, PLANS: plans },
      /Accounts have plans that are not configured: "free"\. Configured plans: school\./,
    );
  });

  it('a file that is not a database', async () => {
    const env = settings();
    await mkdir(env['DATA_DIR'] ?? '');
    await writeFile(join(env['DATA_DIR'] ?? '', 'pastpaper.db'), 'x'.repeat(200));
    await fails(env, /cannot be used: file is not a database/);
  });
});

describe('Stopping the gateway', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`with ${signal} completes a pending request, and accepts no others`, async () => {
      const started = await start(settings());
      const { hostname, port } = new URL(started.baseUrl);
      const socket = connect(Number(port), hostname);
      socket.write('GET /neet HTTP/1.1\r\nHost: localhost\r\n');
      await delay(100);
      started.process.kill(signal);
      await delay(100);
      await assert.rejects(fetch(`${started.baseUrl}/neet`));
      socket.write('Connection: close\r\n\r\n');
      assert.match(await text(socket), /^HTTP\/1\.1 200 OK/);
      assert.equal((await started.ended).status, 0);
    });
  }

  it('closes a persistent connection after the response to its pending request', async () => {
    const started = await start(settings());
    const { hostname, port } = new URL(started.baseUrl);
    const socket = connect(Number(port), hostname);
    const request = 'GET /neet HTTP/1.1\r\nHost: localhost\r\n';
    socket.write(`${request}\r\n${request}`);
    const received = text(socket);
    await once(socket, 'data');
    started.process.kill('SIGTERM');
    while (
      !(await fetch(started.baseUrl).then(
        () => false,
        () => true,
      ))
    )
      await delay(10);
    socket.write('\r\n');
    const connections = [...(await received).matchAll(/^Connection: (.*)\r$/gm)].map(([, value]) => value);
    assert.deepEqual(connections, ['keep-alive', 'close']);
    assert.equal((await started.ended).status, 0);
  });

  it('works through npm', async () => {
    const started = startCommand('npm', ['run', 'gateway'], settings());
    const [, baseUrl] = await started.waitForOutput(/at (http:\/\/\S+)\/\n/);
    const { status } = await stop(started);
    assert.equal(status, 0);
    await assert.rejects(fetch(`${baseUrl}/neet`));
  });

  it('with SIGTERM loses no counts', async () => {
    const env = settings();
    assert.deepEqual(await quotaOverRestart(env, 'SIGTERM', 0), [999, 998]);
  });

  it('with kill -9 loses at most the last second of counts', async () => {
    const env = settings();
    assert.deepEqual(await quotaOverRestart(env, 'SIGKILL', 1000), [999, 998]);
  });
});

/** The remaining quota after one request, and after another one that follows a restart with `signal`. */
async function quotaOverRestart(
  env: Record<string, string>,
  signal: NodeJS.Signals,
  wait: number,
): Promise<number[]> {
  const left: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    const started = await start(env);
    const key = (await readFile(join(env['DATA_DIR'] ?? '', 'development-key'), 'utf8')).trim();
    const response = await fetch(`${started.baseUrl}/neet/2024/s1/physics.json`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    left.push(Number(/"quota";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]));
    await delay(wait);
    await stop(started, signal);
  }
  return left;
}

/** A port that is in use. */
async function occupiedPort(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
