/** Processes killed with SIGKILL under load: only processes that the test has started. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { generateKey } from '../../../gateway/auth/key-format.ts';
import { createKey } from '../../../gateway/auth/keys.ts';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import { readConfig } from '../../../gateway/config.ts';
import { realSystem } from '../../../gateway/system.ts';
import { freePort } from '../../free-port.ts';
import { waitUntil } from '../../wait-until.ts';
import { inOneMonth } from '../one-month.ts';
import { accepted, Load } from '../replicas/load.ts';
import { plans } from '../soak/accounts.ts';
import {
  createGatewayFixture,
  type GatewayFixture,
  get,
  introspectionAt,
  paths,
  remainingQuota,
  shortOrLong,
  tallyOf,
  timeout,
} from './gateway-fixture.ts';
import { noPostgresServer, startPostgresServer } from './postgres-server.ts';

/** Connections of the load. */
const connections = 8;

/** Milliseconds of counts that a killed gateway may lose (docs/deployment.md). */
const maxLoss = 1_000;

describe('kill -9 of a gateway under load', { timeout }, () => {
  it(
    'loses at most the last second of counts, and adds none',
    inOneMonth(async (t) => {
      const fixture = await createGatewayFixture(t);
      const { id, key } = await fixture.accounts.create('school', 'roomy');
      const PORT = String(await freePort());
      const counted = async () => [...(await fixture.accounts.counted(id)).values()][0] ?? 0;
      let [responses, lost, most] = [0, 0, 0];
      for (let round = 0; round < shortOrLong(1, 20); round += 1) {
        const before = await counted();
        const gateway = await fixture.start({ PORT });
        const ended = once(gateway.process, 'close');
        const load = new Load(gateway.origin, key, connections);
        await waitUntil(async () => (await counted()) > before);
        await load.waitForRequests(500);
        const killed = performance.now();
        gateway.process.kill('SIGKILL');
        const requests = accepted(await load.end());
        await ended;
        const newCounts = (await counted()) - before;
        const older = requests.filter(({ received }) => received <= killed - maxLoss).length;
        assert.ok(newCounts >= older, `${newCounts} counted, ${older} accepted more than a second before the kill`);
        assert.ok(newCounts <= requests.length + connections, `${newCounts} counted, ${requests.length} accepted`);
        responses += requests.length;
        lost += Math.max(0, requests.length - newCounts);
        most = Math.max(most, requests.length - newCounts);
      }
      const before = await counted();
      const gateway = await fixture.start({ PORT });
      const response = await get(gateway.origin, paths.paper, key);
      assert.deepEqual([response.status, remainingQuota(response)], [200, plans.roomy.perMonth - before - 1]);
      assert.equal(await gateway.stop(), 0);
      t.diagnostic(`${responses} accepted requests, ${lost} counts lost in total, at most ${most} in one kill`);
    }),
  );
});

/** Creates keys in a database, each of its own account. */
async function newKeys(DATABASE_URL: string, count: number): Promise<readonly string[]> {
  const { database: location } = readConfig({ DATABASE_URL }, () => assert.fail());
  const database = await openDatabase(location);
  const keys: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const own = { account: randomUUID(), plan: 'roomy', fallbackPlan: 'roomy' };
    const request = { ...own, lifetime: undefined, prefix: 'pfx_' };
    keys.push((await createKey(database, realSystem, request)).key);
  }
  await database.destroy();
  return keys;
}

/** Starts an authentication service on a database, and a gateway that uses it. */
async function startServiceAndGateway(fixture: GatewayFixture, databaseUrl: string) {
  const service = await fixture.startService({ DATABASE_URL: databaseUrl });
  const { origin } = await fixture.start(introspectionAt(`http://127.0.0.1:${service.port}`));
  return { service, origin, databaseUrl };
}

/** The keys that a load uses. */
type Kind = 'cached' | 'new' | 'invalid';

interface SentRequest {
  readonly kind: Kind;
  readonly sent: number;
  readonly status: number;
}

/** Milliseconds for which a gateway caches a valid key, minus a margin for a busy machine. */
const cachedFor = 8_000;

/**
 * Checks the responses for cached, new and invalid keys while something is killed and starts again.
 */
async function killDependency(
  t: TestContext,
  { origin, databaseUrl }: { readonly origin: string; readonly databaseUrl: string },
  stop: () => Promise<unknown>,
  start: () => Promise<unknown>,
): Promise<void> {
  const requests: SentRequest[] = [];
  for (let round = 0; round < shortOrLong(1, 10); round += 1) {
    const from = requests.length;
    let isOver = false;
    const [cachedKey = '', ...uncachedKeys] = await newKeys(databaseUrl, 21);
    const begun = performance.now();
    const one = async (kind: Kind, key: string) => {
      const sent = performance.now();
      const { status } = await get(origin, paths.paper, key);
      requests.push({ kind, sent, status });
      return status;
    };
    assert.equal(await one('cached', cachedKey), 200);
    const repeat = async (kind: Kind, nextKey: () => string) => {
      while (!isOver) await one(kind, nextKey());
    };
    const workers = [1, 2, 3, 4].flatMap(() => [
      repeat('cached', () => cachedKey),
      repeat('invalid', () => generateKey('pfx_', realSystem)),
    ]);
    const since = (kind: Kind, status: number, at: number) =>
      requests.slice(at).filter((each) => each.kind === kind && each.status === status).length;
    await waitUntil(() => since('cached', 200, from) >= 100 && since('invalid', 403, from) >= 20);
    await stop();
    const away = requests.length;
    for (const key of uncachedKeys) assert.equal(await one('new', key), 502);
    await waitUntil(() => since('cached', 200, away) >= 50 && since('invalid', 502, away) >= 20);
    await start();
    const back = requests.length;
    for (const key of uncachedKeys) await waitUntil(async () => (await one('new', key)) === 200);
    await waitUntil(() => since('cached', 200, back) >= 50 && since('invalid', 403, back) >= 20);
    isOver = true;
    await Promise.all(workers);
    const whileCached = requests.slice(from).filter(({ kind, sent }) => kind === 'cached' && sent < begun + cachedFor);
    assert.deepEqual(new Set(whileCached.map(({ status }) => status)), new Set([200]));
  }
  const statuses = (kind: Kind) => new Set(requests.filter((each) => each.kind === kind).map(({ status }) => status));
  assert.deepEqual(statuses('invalid'), new Set([403, 502]));
  assert.deepEqual(statuses('new'), new Set([502, 200]));
  assert.ok([...statuses('cached')].every((status) => status === 200 || status === 502));
  t.diagnostic(tallyOf(requests.map(({ kind, status }) => `${kind} ${status}`)));
}

describe('kill -9 of the authentication service under load', { timeout }, () => {
  it('causes a 502 for uncached keys until it is back, and accepts no invalid key', async (t) => {
    const fixture = await createGatewayFixture(t);
    const pair = await startServiceAndGateway(fixture, `file:${join(fixture.folder, 'service.db')}`);
    const { service } = pair;
    await killDependency(
      t,
      pair,
      () => service.kill(),
      () => service.start(),
    );
  });
});

describe('kill -9 of PostgreSQL under load', { skip: noPostgresServer, timeout }, () => {
  it('behind the service has the same effect, and the service needs no restart', async (t) => {
    const server = await startPostgresServer(t);
    const pair = await startServiceAndGateway(await createGatewayFixture(t), server.url);
    await killDependency(t, pair, server.kill, server.start);
  });

  it('behind a gateway with embedded accounts causes a 502 until it is back, and loses no count', async (t) => {
    const server = await startPostgresServer(t);
    const fixture = await createGatewayFixture(t);
    const gateway = await fixture.start({ DATABASE_URL: server.url });
    const [key = ''] = await newKeys(server.url, 1);
    const load = new Load(gateway.origin, key, connections);
    const waitForStatus = async (status: number, count: number) => {
      const from = load.requests.length;
      await waitUntil(() => load.requests.slice(from).filter((request) => request.status === status).length >= count);
    };
    for (let round = 0; round < shortOrLong(1, 10); round += 1) {
      await waitForStatus(200, 300);
      await server.kill();
      await waitForStatus(502, 50);
      await server.start();
      await waitForStatus(200, 300);
    }
    const requests = await load.end();
    assert.deepEqual(new Set(requests.map(({ status }) => status)), new Set([200, 502]));
    assert.equal(await gateway.stop(), 0);
    const [row] = await server.query('select sum(used)::int as used from usage');
    assert.equal(row?.['used'], accepted(requests).length);
    t.diagnostic(
      `${accepted(requests).length} accepted and counted, ${requests.length - accepted(requests).length} got 502`,
    );
  });
});
