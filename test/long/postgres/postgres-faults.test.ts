import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createKey } from '../../../gateway/auth/keys.ts';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import { systemClock } from '../../../gateway/clock.ts';
import { buildFolder } from '../../build/build-folder.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { postgres } from '../../gateway/auth/engines.ts';
import { operatorKey } from '../../gateway/auth/open-store.ts';
import { signedIn } from '../../gateway/auth/users/visitor.ts';
import { type CommandResult, type StartedProcess, startPastpaper } from '../../gateway/started-process.ts';
import { type Fault, startTcpProxy, type TcpProxy } from '../../gateway/tcp-proxy.ts';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
after(() => rm(folder, { recursive: true }));
const distDir = join(folder, 'dist');
await buildFolder(sampleContentDir, distDir);
const plans = join(folder, 'plans.json');
await writeFile(plans, JSON.stringify({ free: { perSecond: 100_000, perMonth: 1_000_000 } }));
const secret = 'a-secret-between-gateway-and-service';

/** The timeout of a test in milliseconds: long, as a test waits for several timeouts of some seconds. */
const timeout = 60_000;

/** A database behind a proxy, with an API key. */
interface Fixture {
  readonly proxy: TcpProxy;
  readonly key: string;
  /** Runs a query without the proxy. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Starts the gateway or the authentication service on the database. */
  start(module: string): Promise<Started>;
}

interface Started {
  readonly origin: string;
  isAlive(): boolean;
  stop(): Promise<CommandResult>;
}

let folders = 0;

async function createFixture(t: TestContext): Promise<Fixture> {
  const testDatabase = await postgres.createDatabase();
  const proxy = await startTcpProxy(testDatabase.url);
  const started: StartedProcess[] = [];
  const direct = new pg.Client({ connectionString: testDatabase.url });
  await direct.connect();
  t.after(async () => {
    for (const { process } of started) process.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    await proxy.close();
    await direct.end();
    await testDatabase.remove();
  });
  const database = await openDatabase(testDatabase.location, 5000);
  const { key } = await createKey(database, systemClock, operatorKey());
  await database.destroy();
  folders += 1;
  const settings = {
    PORT: '0',
    DIST_DIR: distDir,
    DATA_DIR: join(folder, `data-${folders}`),
    DATABASE_URL: proxy.url,
    INTROSPECTION_SECRET: secret,
    PLANS: plans,
  };
  return {
    proxy,
    key,
    query: async (sql) => (await direct.query(sql)).rows,
    async start(module) {
      const one = startPastpaper(module, settings);
      started.push(one);
      const [, origin = ''] = await one.waitForOutput(/ at (http:\/\/\S+)\/\n/);
      await one.waitForOutput(/\n\n {2}[\s\S]*\n$/);
      return {
        origin,
        isAlive: () => one.process.exitCode === null && one.process.signalCode === null,
        stop() {
          one.process.kill('SIGTERM');
          return one.ended;
        },
      };
    },
  };
}

const gateway = 'gateway';
const service = 'auth';

/** Polls until a condition is true. The timeout is the one of the test. */
async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20);
}

async function download({ origin }: Started, { key }: Fixture): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${origin}/neet/2024/s1/physics.json`, { headers });
  await response.arrayBuffer();
  return response.status;
}

async function introspect({ origin }: Started, { key }: Fixture): Promise<number> {
  const response = await fetch(`${origin}/auth/introspect`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}` },
    body: new URLSearchParams({ token: key }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Requests counted in the database. */
async function counted({ query }: Fixture): Promise<number> {
  const [row] = await query('select coalesce(sum(used), 0)::int as used from usage');
  return Number(row?.['used']);
}

/** Sends requests until one returns 200. */
async function waitUntilServed(started: Started, fixture: Fixture): Promise<void> {
  await waitUntil(async () => (await download(started, fixture)) === 200);
}

const cuts: Readonly<Record<string, (fixture: Fixture) => unknown>> = {
  'cut by a proxy': ({ proxy }) => proxy.cut(),
  'terminated by the server': ({ query }) =>
    query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`),
};

/**
 * Breaks the connections twenty times, each time after some more requests have succeeded.
 *
 * @returns the number of responses by status
 */
async function breakUnderLoad(
  started: Started,
  fixture: Fixture,
  request: () => Promise<number>,
  breakAll: (fixture: Fixture) => unknown,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let isOver = false;
  const served = () => statuses.get(200) ?? 0;
  const workers = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      const status = await request();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  // A worker fails if the process has ended.
  const all = Promise.all(workers);
  for (let round = 0; round < 20; round += 1) {
    const before = served();
    await Promise.race([all, waitUntil(() => served() >= before + 20 || !started.isAlive())]);
    await breakAll(fixture);
  }
  isOver = true;
  await all;
  return statuses;
}

describe('Connections to PostgreSQL', { skip: postgres.skip }, () => {
  for (const [how, breakAll] of Object.entries(cuts)) {
    it(`${how} while a gateway uses them cause some 502 responses, and lose no count`, {
      timeout,
    }, async (t) => {
      const fixture = await createFixture(t);
      const started = await fixture.start(gateway);
      const statuses = await breakUnderLoad(started, fixture, () => download(started, fixture), breakAll);
      await waitUntilServed(started, fixture);
      const { status } = await started.stop();
      assert.deepEqual(
        [...statuses.keys()].filter((one) => one !== 200 && one !== 502),
        [],
      );
      assert.equal(status, 0);
      assert.equal(await counted(fixture), (statuses.get(200) ?? 0) + 1);
    });

    it(`${how} while a service uses them cause some 503 responses`, { timeout }, async (t) => {
      const fixture = await createFixture(t);
      const started = await fixture.start(service);
      const statuses = await breakUnderLoad(started, fixture, () => introspect(started, fixture), breakAll);
      await waitUntil(async () => (await introspect(started, fixture)) === 200);
      const { status } = await started.stop();
      assert.deepEqual(
        [...statuses.keys()].filter((one) => one !== 200 && one !== 503),
        [],
      );
      assert.equal(status, 0);
    });
  }

  it('that hang time out, and the gateway serves again on new ones', { timeout }, async (t) => {
    const fixture = await createFixture(t);
    const started = await fixture.start(gateway);
    const many = () => Promise.all(Array.from({ length: 15 }, () => download(started, fixture)));
    const all = (status: number) => Array.from({ length: 15 }, () => status);
    assert.deepEqual(await many(), all(200));
    fixture.proxy.hang();
    assert.deepEqual(await many(), all(502));
    fixture.proxy.pass();
    await waitUntilServed(started, fixture);
    assert.deepEqual(await many(), all(200));
    const { status } = await started.stop();
    assert.equal(status, 0);
    assert.equal(await counted(fixture), 31);
  });

  it('that hang do not prevent a gateway from stopping', { timeout }, async (t) => {
    const fixture = await createFixture(t);
    const started = await fixture.start(gateway);
    await Promise.all(Array.from({ length: 10 }, () => download(started, fixture)));
    await waitUntil(async () => (await counted(fixture)) === 10);
    fixture.proxy.hang();
    const { status } = await started.stop();
    assert.equal(status, 0);
  });
});

describe('Usage in PostgreSQL', { skip: postgres.skip }, () => {
  const faults: Readonly<Record<string, Fault>> = {
    'if the response to a commit is late': 3500,
    'if the response to a commit is lost': 'response lost',
    'if the connection hangs before a commit': 'request lost',
  };
  for (const [when, fault] of Object.entries(faults)) {
    it(`is counted once ${when}`, { timeout }, async (t) => {
      const fixture = await createFixture(t);
      const { proxy } = fixture;
      const started = await fixture.start(gateway);
      proxy.injectFault(/commit/i, fault);
      for (let request = 0; request < 10; request += 1) {
        assert.equal(await download(started, fixture), 200);
      }
      await waitUntil(() => proxy.faultCount() > 0);
      proxy.pass();
      await waitUntil(async () => (await counted(fixture)) === 10);
      const { status } = await started.stop();
      assert.equal(status, 0);
      assert.equal(await counted(fixture), 10);
    });
  }
});

describe('When PostgreSQL', { skip: postgres.skip }, () => {
  const outages: Readonly<Record<string, (proxy: TcpProxy) => void>> = {
    'refuses connections': (proxy) => proxy.refuse(),
    hangs: (proxy) => proxy.hang(),
  };
  for (const [how, makeUnavailable] of Object.entries(outages)) {
    it(`${how}, account requests get 503 with Retry-After, and succeed when it is back`, {
      timeout,
    }, async (t) => {
      const fixture = await createFixture(t);
      const { origin, stop } = await fixture.start(gateway);
      const person = { email: 'ada@example.org', password: 'a phrase that no one knows' };
      const ada = await signedIn(`${origin}/auth`, person);
      const requests = [
        () => ada.get('account'),
        () => ada.get('keys'),
        () => ada.post('keys', { name: 'laptop', expiresIn: null }),
        () => ada.signIn(person),
      ];
      makeUnavailable(fixture.proxy);
      for (const request of requests) {
        const { status, headers } = await request();
        assert.deepEqual([status, headers.get('Retry-After')], [503, '5']);
      }
      fixture.proxy.pass();
      await waitUntil(async () => (await ada.get('account')).status === 200);
      const statuses: number[] = [];
      for (const request of requests) statuses.push((await request()).status);
      assert.deepEqual(statuses, [200, 200, 201, 200]);
      assert.equal((await stop()).status, 0);
    });
  }
});
