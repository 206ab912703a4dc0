import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import { freePort, serveLocally } from '../../free-port.ts';
import { type MonitoredGateway, startMonitoredGateway } from '../../gateway/monitored-gateway.ts';
import {
  createFixture,
  type Fixture,
  type Started,
  startGateway,
} from '../../gateway/ops/started-gateway.ts';
import { switchTo } from '../../gateway/release/write-release.ts';
import { childrenOf, runPastpaper } from '../../gateway/started-process.ts';
import { waitUntil } from '../../wait-until.ts';
import { plans } from '../accounts.ts';
import { flipBit, publishSmallRelease, writeSmallRelease } from '../faults/gateway-fixture.ts';
import { inOneMonth } from '../one-month.ts';
import { accepted, failed, Load } from '../replicas/load.ts';

/** Connections of a load: enough for both workers. */
const connections = 24;

let fixture: Fixture;
before(async () => {
  fixture = await createFixture();
});

async function startTwo(changes: Readonly<Record<string, string>> = {}) {
  const env = await fixture.settings({ WORKERS: '2', PORT: String(await freePort()), ...changes });
  return { env, started: await startGateway(env) };
}

function workersOf({ process: { pid = 0 } }: Started): number[] {
  return childrenOf(pid);
}

async function scrape({ adminUrl }: Started, pattern: RegExp): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(pattern.exec(text)?.[1]);
}

const filesServed = /^pastpaper_http_requests_total\{route="file",status="200"\} (\d+)$/m;
const cacheLimit = /^pastpaper_body_cache_limit_bytes (\S+)$/m;
const connectionsOpen = /^pastpaper_http_connections (\d+)$/m;
const servedRelease = /^pastpaper_release_info\{release="\w+"\} (\d+)$/m;

/** The requests of an account in the database. */
async function usedOf(env: Readonly<Record<string, string>>): Promise<number> {
  const database = await openDatabase({ kind: 'sqlite', file: `${env['DATA_DIR']}/pastpaper.db` });
  const rows = await database.selectFrom('usage').select('used').execute();
  await database.destroy();
  return rows.reduce((sum, { used }) => sum + used, 0);
}

describe('Two workers', () => {
  it(
    'accept exactly the quota of a month, write all of it, and sum their metrics',
    inOneMonth(async () => {
      const { env, started } = await startTwo();
      const key = await fixture.newKey(env, 'burst');
      const load = new Load(started.baseUrl, key, connections);
      await load.waitForAccepted(1000);
      await load.waitForRequests(200);
      const open = await scrape(started, connectionsOpen);
      assert.equal(await scrape(started, servedRelease), 1);
      const requests = await load.end();
      const served = await scrape(started, filesServed);
      await started.stop();
      assert.equal(accepted(requests).length, 1000);
      const remaining = accepted(requests).map((request) => request.remaining);
      assert.equal(new Set(remaining).size, 1000);
      assert.deepEqual([open, served, await usedOf(env)], [connections, 1000, 1000]);
    }),
  );

  it('are replaced when one is killed under load: no accepted request is lost from the counts', async () => {
    const { env, started } = await startTwo();
    const key = await fixture.newKey(env, 'roomy');
    const load = new Load(started.baseUrl, key, connections, 5);
    await load.waitForRequests(200);
    const servedBefore = await scrape(started, filesServed);
    const cacheBefore = await scrape(started, cacheLimit);
    const [killed] = workersOf(started);
    assert.ok(killed !== undefined);
    process.kill(killed, 'SIGKILL');
    await load.waitForRequests(200);
    await waitUntil(() => workersOf(started).length === 2 && !workersOf(started).includes(killed));
    // Each worker that serves has its share.
    await waitUntil(async () => (await scrape(started, cacheLimit)) === cacheBefore);
    await waitUntil(async () => (await scrape(started, connectionsOpen)) >= connections);
    const requests = await load.end();
    assert.ok((await scrape(started, filesServed)) >= servedBefore, 'counters never decrease');
    const { status, stderr } = await started.stop();
    assert.equal(status, 0, stderr);
    assert.match(stderr, /A worker ended with SIGKILL/);
    // A request on a connection of the killed worker may be counted without a response.
    const used = await usedOf(env);
    const [lost, responses] = [failed(requests).length, accepted(requests).length];
    assert.ok(lost <= connections, `${lost} requests failed`);
    assert.ok(used >= responses && used <= responses + lost, `${used}, ${responses}, ${lost}`);
  });

  it('end when the primary process is killed', async () => {
    const { started } = await startTwo();
    const workers = workersOf(started);
    assert.equal(workers.length, 2);
    await started.stop('SIGKILL');
    const isRunning = (pid: number) => readdirSync('/proc').includes(String(pid));
    await waitUntil(() => !workers.some(isRunning));
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`end after pending requests on ${signal} to all processes, as a terminal or systemd sends it`, async () => {
      const { env, started } = await startTwo();
      const key = await fixture.newKey(env, 'roomy');
      const load = new Load(started.baseUrl, key, connections, 5);
      await load.waitForRequests(100);
      const end = load.end();
      for (const pid of workersOf(started)) process.kill(pid, signal);
      await delay(50);
      const { status, stderr } = await started.stop(signal);
      assert.deepEqual([failed(await end), status, stderr], [[], 0, '']);
    });

  it('lose no request on persistent connections when the gateway stops under load', async () => {
    const { env, started } = await startTwo({ DRAIN_DELAY_SECONDS: '3' });
    const key = await fixture.newKey(env, 'roomy');
    const load = new Load(started.baseUrl, key, connections, 5);
    await load.waitForRequests(100);
    const stopped = started.stop('SIGTERM');
    await waitUntil(async () => (await fetch(`${started.adminUrl}/readyz`)).status !== 200);
    await load.end();
    const { status } = await stopped;
    assert.deepEqual([failed(load.requests), status], [[], 0]);
    assert.equal(await usedOf(env), accepted(load.requests).length);
  });

  it('report once that the port is in use', async () => {
    const { url, close } = await serveLocally(createServer());
    const env = await fixture.settings({ WORKERS: '2', PORT: new URL(url).port });
    const { status, stdout, stderr } = await runPastpaper('gateway', env);
    await close();
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(
      stderr,
      /^Port \d+ on 127\.0\.0\.1 is in use. Stop the process that uses it, or set PORT to another port\.\n$/,
    );
  });

  it('switch to a new release under load without a failed request, and refuse a damaged one', async () => {
    const DIST_DIR = join(fixture.folder, 'dist-of-workers');
    await publishSmallRelease(DIST_DIR, 'first');
    const { env, started } = await startTwo({ DIST_DIR });
    const load = new Load(started.baseUrl, await fixture.newKey(env, 'roomy'), connections, 5);
    await load.waitForRequests(100);
    await publishSmallRelease(DIST_DIR, 'second');
    await started.waitForOutput(/Now serving release/, 'stderr');
    assert.deepEqual(await releasesServed(started), new Set(['second']));
    await flipBit(join(await writeSmallRelease(DIST_DIR, 'third'), 'public/neet'), 1);
    await switchTo(DIST_DIR, 'third');
    await started.waitForOutput(/cannot be served/, 'stderr');
    assert.deepEqual(await releasesServed(started), new Set(['second']));
    await load.waitForRequests(100);
    assert.deepEqual(failed(await load.end()), []);
    await started.stop();
  });
});

describe('Connections of two workers', () => {
  const publicRequest = 'GET /neet HTTP/1.1\r\nHost: localhost\r\n\r\n';
  let gateway: MonitoredGateway;

  before(async () => {
    const places = {
      distDir: fixture.distDir,
      dataDir: join(fixture.folder, 'data-of-connections'),
    };
    gateway = await startMonitoredGateway(places, plans, { WORKERS: '2', MAX_CONNECTIONS: '6' });
  });
  after(() => gateway.stop());

  it('are at most MAX_CONNECTIONS of both together', async () => {
    const sockets = Array.from({ length: 9 }, () => connect(gateway.port, '127.0.0.1'));
    const isServed = (socket: Socket) =>
      new Promise<boolean>((resolve) => {
        socket.on('error', () => {}).on('close', () => resolve(false));
        socket.on('data', () => resolve(true)).write(publicRequest);
      });
    const served = await Promise.all(sockets.map(isServed));
    for (const socket of sockets) socket.destroy();
    // Each accepts its half, and may get more than half of the connections.
    const count = served.filter((each) => each).length;
    assert.ok(count >= 3 && count <= 6, String(count));
    await waitUntil(() => isServed(connect(gateway.port, '127.0.0.1')));
  });
});

/** The releases that new connections get, which the workers accept in turn. */
async function releasesServed({ baseUrl }: Started): Promise<Set<string>> {
  const names = new Set<string>();
  for (let request = 0; request < 8; request += 1) {
    const response = await fetch(`${baseUrl}/neet`, { headers: { Connection: 'close' } });
    names.add(((await response.json()) as { release: string }).release);
  }
  return names;
}
