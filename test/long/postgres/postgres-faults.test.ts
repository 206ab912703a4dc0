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
import { built } from '../../build/built.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { postgres } from '../../gateway/auth/engines.ts';
import { operatorKey } from '../../gateway/auth/open-store.ts';
import { signedIn } from '../../gateway/auth/users/visitor.ts';
import { type Ended, type StartedProcess, startPastpaper } from '../../gateway/started-process.ts';
import { type Fate, startTcpProxy, type TcpProxy } from '../../gateway/tcp-proxy.ts';

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
after(() => rm(folder, { recursive: true }));
const distDir = join(folder, 'dist');
await built(sampleContentDir, distDir);
const plans = join(folder, 'plans.json');
await writeFile(plans, JSON.stringify({ free: { perSecond: 100_000, perMonth: 1_000_000 } }));
const secret = 'a-secret-between-gateway-and-service';

/** Milliseconds for a test: generous, as each limit of time that it meets is some seconds. */
const timeout = 60_000;

/** A database behind a proxy, with a key. */
interface Setting {
  readonly proxy: TcpProxy;
  readonly key: string;
  /** Asks the server, past the proxy. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Starts the gateway or the service on the database. */
  start(module: string): Promise<Started>;
}

interface Started {
  readonly origin: string;
  isAlive(): boolean;
  stop(): Promise<Ended>;
}

let folders = 0;

async function makeSetting(t: TestContext): Promise<Setting> {
  const place = await postgres.makePlace();
  const proxy = await startTcpProxy(place.url);
  const started: StartedProcess[] = [];
  const direct = new pg.Client({ connectionString: place.url });
  await direct.connect();
  t.after(async () => {
    for (const { process } of started) process.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    await proxy.close();
    await direct.end();
    await place.remove();
  });
  const database = await openDatabase(place.location, 5000);
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
      const [, origin = ''] = await one.printed(/ at (http:\/\/\S+)\/\n/);
      await one.printed(/\n\n {2}[\s\S]*\n$/);
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

/** Waits for something that comes to be true; the limit of time is the test's. */
async function until(isIt: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isIt())) await delay(20);
}

async function download({ origin }: Started, { key }: Setting): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${origin}/neet/2024/s1/physics.json`, { headers });
  await response.arrayBuffer();
  return response.status;
}

async function introspect({ origin }: Started, { key }: Setting): Promise<number> {
  const response = await fetch(`${origin}/auth/introspect`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}` },
    body: new URLSearchParams({ token: key }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Requests counted in the database. */
async function counted({ query }: Setting): Promise<number> {
  const [row] = await query('select coalesce(sum(used), 0)::int as used from usage');
  return Number(row?.['used']);
}

/** Asks until the answer is 200. */
async function untilServed(started: Started, setting: Setting): Promise<void> {
  await until(async () => (await download(started, setting)) === 200);
}

const cuts: Readonly<Record<string, (setting: Setting) => unknown>> = {
  'cut on their way': ({ proxy }) => proxy.cut(),
  'ended by the server': ({ query }) =>
    query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`),
};

/**
 * Breaks the connections twenty times, whenever some requests have been served again.
 *
 * @returns how often each status was answered
 */
async function breakUnderLoad(
  started: Started,
  setting: Setting,
  ask: () => Promise<number>,
  breakAll: (setting: Setting) => unknown,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let isOver = false;
  const served = () => statuses.get(200) ?? 0;
  const workers = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      const status = await ask();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  // A worker that fails has met a process that is dead.
  const all = Promise.all(workers);
  for (let round = 0; round < 20; round += 1) {
    const before = served();
    await Promise.race([all, until(() => served() >= before + 20 || !started.isAlive())]);
    await breakAll(setting);
  }
  isOver = true;
  await all;
  return statuses;
}

describe('Connections to PostgreSQL', { skip: postgres.skip }, () => {
  for (const [how, breakAll] of Object.entries(cuts)) {
    it(`${how} while a gateway uses them cost it some answers, and no count`, { timeout }, async (t) => {
      const setting = await makeSetting(t);
      const started = await setting.start(gateway);
      const statuses = await breakUnderLoad(started, setting, () => download(started, setting), breakAll);
      await untilServed(started, setting);
      const { status } = await started.stop();
      assert.deepEqual(
        [...statuses.keys()].filter((one) => one !== 200 && one !== 502),
        [],
      );
      assert.equal(status, 0);
      assert.equal(await counted(setting), (statuses.get(200) ?? 0) + 1);
    });

    it(`${how} while a service uses them cost it some answers`, { timeout }, async (t) => {
      const setting = await makeSetting(t);
      const started = await setting.start(service);
      const statuses = await breakUnderLoad(started, setting, () => introspect(started, setting), breakAll);
      await until(async () => (await introspect(started, setting)) === 200);
      const { status } = await started.stop();
      assert.deepEqual(
        [...statuses.keys()].filter((one) => one !== 200 && one !== 503),
        [],
      );
      assert.equal(status, 0);
    });
  }

  it('that hang are given up: the gateway serves again over new ones', { timeout }, async (t) => {
    const setting = await makeSetting(t);
    const started = await setting.start(gateway);
    const many = () => Promise.all(Array.from({ length: 15 }, () => download(started, setting)));
    const all = (status: number) => Array.from({ length: 15 }, () => status);
    assert.deepEqual(await many(), all(200));
    setting.proxy.hang();
    assert.deepEqual(await many(), all(502));
    setting.proxy.pass();
    await untilServed(started, setting);
    assert.deepEqual(await many(), all(200));
    const { status } = await started.stop();
    assert.equal(status, 0);
    assert.equal(await counted(setting), 31);
  });

  it('that hang do not keep a gateway from ending', { timeout }, async (t) => {
    const setting = await makeSetting(t);
    const started = await setting.start(gateway);
    await Promise.all(Array.from({ length: 10 }, () => download(started, setting)));
    await until(async () => (await counted(setting)) === 10);
    setting.proxy.hang();
    const { status } = await started.stop();
    assert.equal(status, 0);
  });
});

describe('Usage in PostgreSQL', { skip: postgres.skip }, () => {
  const fates: Readonly<Record<string, Fate>> = {
    'when the answer to a commit comes too late': 3500,
    'when the answer to a commit is lost': 'answer lost',
    'when the connection goes silent before a commit': 'never arrives',
  };
  for (const [when, fate] of Object.entries(fates)) {
    it(`is counted once ${when}`, { timeout }, async (t) => {
      const setting = await makeSetting(t);
      const { proxy } = setting;
      const started = await setting.start(gateway);
      proxy.tamper(/commit/i, fate);
      for (let request = 0; request < 10; request += 1) {
        assert.equal(await download(started, setting), 200);
      }
      await until(() => proxy.tampered() > 0);
      proxy.pass();
      await until(async () => (await counted(setting)) === 10);
      const { status } = await started.stop();
      assert.equal(status, 0);
      assert.equal(await counted(setting), 10);
    });
  }
});

describe('Without PostgreSQL', { skip: postgres.skip }, () => {
  const absences: Readonly<Record<string, (proxy: TcpProxy) => void>> = {
    'that refuses connections': (proxy) => proxy.refuse(),
    'that hangs': (proxy) => proxy.hang(),
  };
  for (const [how, leave] of Object.entries(absences)) {
    it(`${how}, people are told to come back, and can`, { timeout }, async (t) => {
      const setting = await makeSetting(t);
      const { origin, stop } = await setting.start(gateway);
      const person = { email: 'ada@example.org', password: 'a phrase that no one knows' };
      const ada = await signedIn(`${origin}/auth`, person);
      const asks = [
        () => ada.get('account'),
        () => ada.get('keys'),
        () => ada.post('keys', { name: 'laptop', expiresIn: null }),
        () => ada.signIn(person),
      ];
      leave(setting.proxy);
      for (const ask of asks) {
        const { status, headers } = await ask();
        assert.deepEqual([status, headers.get('Retry-After')], [503, '5']);
      }
      setting.proxy.pass();
      await until(async () => (await ada.get('account')).status === 200);
      const statuses: number[] = [];
      for (const ask of asks) statuses.push((await ask()).status);
      assert.deepEqual(statuses, [200, 200, 201, 200]);
      assert.equal((await stop()).status, 0);
    });
  }
});
