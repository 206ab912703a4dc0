import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { createKey } from '../../../gateway/accounts/keys.ts';
import { openDatabase } from '../../../gateway/accounts/store/store.ts';
import { realSystem } from '../../../gateway/clock.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { postgres } from '../../gateway/accounts/engines.ts';
import { operatorKey } from '../../gateway/accounts/open-store.ts';
import { signedIn, statusOf } from '../../gateway/accounts/users/visitor.ts';
import { startServer } from '../../gateway/server-process.ts';
import { type Fault, startTcpProxy } from '../../gateway/tcp-proxy.ts';
import { waitUntil } from '../../wait-until.ts';

const plans = join(await temporaryFolder(), 'plans.json');
await writeFile(plans, JSON.stringify({ free: { perSecond: 100_000, perMonth: 1_000_000 } }));
const secret = 'a-secret-between-gateway-and-service';

/** Milliseconds. Long, so that only a test that hangs fails. */
const timeout = 900_000;

type Fixture = Awaited<ReturnType<typeof createFixture>>;

/** A gateway or an authentication service on a database behind a proxy, with an API key. */
async function createFixture(t: TestContext, command: 'gateway' | 'auth') {
  const testDatabase = await postgres.createDatabase();
  const proxy = await startTcpProxy(testDatabase.url);
  const direct = new pg.Client({ connectionString: testDatabase.url });
  await direct.connect();
  const database = await openDatabase(testDatabase.location);
  const { key } = await createKey(database, realSystem, operatorKey());
  await database.destroy();
  const started = await startServer(command, {
    NODE_ENV: '',
    DATABASE_URL: proxy.url,
    INTROSPECTION_SECRET: secret,
    PLANS: plans,
  });
  t.after(async () => {
    await started.stop('SIGKILL');
    await proxy.close();
    await direct.end();
    await testDatabase.remove();
  });
  return {
    origin: started.origin,
    stop: started.stop,
    isAlive: () => started.process.exitCode === null && started.process.signalCode === null,
    proxy,
    key,
    /** Runs a query without the proxy. */
    query: async (sql: string): Promise<Record<string, unknown>[]> =>
      (await direct.query(sql)).rows,
  };
}

const download = ({ origin, key }: Fixture): Promise<number> => statusOf(origin, key);

async function introspect({ origin, key }: Fixture): Promise<number> {
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

type Request = (fixture: Fixture) => Promise<number>;

const cuts: Readonly<Record<string, (fixture: Fixture, request: Request) => unknown>> = {
  'cut by a proxy': ({ proxy }) => proxy.cut(),
  // As a server does that was killed.
  'reset and refused for a while': async (fixture, request) => {
    fixture.proxy.refuse();
    await waitUntil(async () => (await request(fixture)) !== 200);
    fixture.proxy.pass();
    await waitUntil(async () => (await request(fixture)) === 200);
  },
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
  fixture: Fixture,
  request: Request,
  breakAll: (fixture: Fixture, request: Request) => unknown,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let isOver = false;
  const served = () => statuses.get(200) ?? 0;
  const count: Request = async () => {
    const status = await request(fixture);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    return status;
  };
  const workers = Array.from({ length: 6 }, async () => {
    while (!isOver) await count(fixture);
  });
  // A worker fails if the process has ended.
  const all = Promise.all(workers);
  for (let round = 0; round < 20; round += 1) {
    const before = served();
    await Promise.race([all, waitUntil(() => served() >= before + 20 || !fixture.isAlive())]);
    await breakAll(fixture, count);
  }
  isOver = true;
  await all;
  return statuses;
}

describe('Connections to PostgreSQL', { timeout }, () => {
  const processes = [
    ['gateway', download, 502],
    ['auth', introspect, 503],
  ] as const;
  for (const [how, breakAll] of Object.entries(cuts)) {
    for (const [command, request, failed] of processes) {
      it(`${how} while pastpaper ${command} uses them cause some ${failed} responses, and lose no count`, async (t) => {
        const fixture = await createFixture(t, command);
        const statuses = await breakUnderLoad(fixture, request, breakAll);
        await waitUntil(async () => (await request(fixture)) === 200);
        assert.equal((await fixture.stop()).status, 0);
        assert.deepEqual(new Set([...statuses.keys(), 200, failed]), new Set([200, failed]));
        if (command === 'gateway')
          assert.equal(await counted(fixture), (statuses.get(200) ?? 0) + 1);
      });
    }
  }

  it('that hang time out, and the gateway serves again on new ones', async (t) => {
    const fixture = await createFixture(t, 'gateway');
    const many = () => Promise.all(Array.from({ length: 15 }, () => download(fixture)));
    const all = (status: number) => Array(15).fill(status);
    assert.deepEqual(await many(), all(200));
    fixture.proxy.hang();
    // A key that was checked is not looked up again for a second.
    let cached = 0;
    while ((await download(fixture)) === 200) cached += 1;
    assert.deepEqual(await many(), all(502));
    fixture.proxy.pass();
    await waitUntil(async () => (await download(fixture)) === 200);
    assert.deepEqual(await many(), all(200));
    assert.equal((await fixture.stop()).status, 0);
    assert.equal(await counted(fixture), 31 + cached);
  });
});

describe('Usage in PostgreSQL', { timeout }, () => {
  const faults: Readonly<Record<string, Fault>> = {
    'response to a commit is late': 3500,
    'response to a commit is lost': 'response lost',
    'connection hangs before a commit': 'request lost',
  };
  for (const [what, fault] of Object.entries(faults)) {
    it(`is counted once if the ${what}`, async (t) => {
      const fixture = await createFixture(t, 'gateway');
      const { proxy } = fixture;
      proxy.injectFault(/commit/i, fault);
      for (let request = 0; request < 10; request += 1) assert.equal(await download(fixture), 200);
      await waitUntil(() => proxy.faultCount() > 0);
      proxy.pass();
      await waitUntil(async () => (await counted(fixture)) === 10);
      assert.equal((await fixture.stop()).status, 0);
      assert.equal(await counted(fixture), 10);
    });
  }
});

describe('When PostgreSQL', { timeout }, () => {
  for (const [how, outage] of [
    ['refuses connections', 'refuse'],
    ['hangs', 'hang'],
  ] as const) {
    it(`${how}, account requests get 503 with Retry-After, and succeed when it is back`, async (t) => {
      const { origin, stop, proxy } = await createFixture(t, 'gateway');
      const person = { email: 'ada@example.org', password: 'a phrase that no one knows' };
      const ada = await signedIn(`${origin}/auth`, person);
      const requests = [
        () => ada.get('account'),
        () => ada.get('keys'),
        () => ada.post('keys', { name: 'laptop', expiresIn: null }),
        () => ada.signIn(person),
      ];
      proxy[outage]();
      for (const request of requests) {
        const { status, headers } = await request();
        assert.deepEqual([status, headers.get('Retry-After')], [503, '5']);
      }
      proxy.pass();
      await waitUntil(async () => (await ada.get('account')).status === 200);
      const statuses: number[] = [];
      for (const request of requests) statuses.push((await request()).status);
      assert.deepEqual(statuses, [200, 200, 201, 200]);
      assert.equal((await stop()).status, 0);
    });
  }
});
