/** Processes that end at once while requests are under way. What is killed is only what the test has started. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { generateKey } from '../../../gateway/auth/key-format.ts';
import { createKey } from '../../../gateway/auth/keys.ts';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import { systemClock } from '../../../gateway/clock.ts';
import { readConfig } from '../../../gateway/config.ts';
import { freePort } from '../../free-port.ts';
import { Replica } from '../replicas/fleet.ts';
import { accepted, Load } from '../replicas/load.ts';
import { plans } from '../soak/accounts.ts';
import { ask, leftOf } from './asked.ts';
import { type FaultPlace, makeFaultPlace } from './fault-place.ts';
import { noOwnPostgres, type OwnPostgres, startOwnPostgres } from './own-postgres.ts';
import { rounds } from './rounds.ts';
import { paths } from './small-release.ts';
import { until } from './until.ts';

const timeout = rounds(120_000, 900_000);

/** Connections of the load. */
const connections = 8;
const secret = 'a-secret-between-gateway-and-service';

/** Milliseconds of counts that a gateway that is killed may lose (README, docs/operations.md). */
const mostLost = 1_000;

describe('kill -9 under load, of a gateway,', () => {
  it('loses at most the last second of counts, and adds none', { timeout }, async (t) => {
    const place = await makeFaultPlace(t);
    const { id, key } = await place.accounts.create('school', 'roomy');
    const PORT = String(await freePort());
    const counted = async () => [...(await place.accounts.counted(id)).values()][0] ?? 0;
    let [answers, lost, most] = [0, 0, 0];
    for (let round = 0; round < rounds(1, 20); round += 1) {
      const before = await counted();
      const gateway = await place.start({ PORT });
      const ended = once(gateway.process, 'close');
      const load = new Load(gateway.origin, key, connections);
      await until(async () => (await counted()) > before);
      await load.grow(500);
      const killed = performance.now();
      gateway.process.kill('SIGKILL');
      const made = accepted(await load.end());
      await ended;
      const fresh = (await counted()) - before;
      const lasting = made.filter(({ received }) => received <= killed - mostLost).length;
      assert.ok(fresh >= lasting, `${fresh} counted, ${lasting} answered a second before the end`);
      assert.ok(fresh <= made.length + connections, `${fresh} counted, ${made.length} answered`);
      answers += made.length;
      lost += Math.max(0, made.length - fresh);
      most = Math.max(most, made.length - fresh);
    }
    const before = await counted();
    const gateway = await place.start({ PORT });
    const answer = await ask(gateway.origin, paths.paper, key);
    assert.deepEqual([answer.status, leftOf(answer)], [200, plans.roomy.perMonth - before - 1]);
    assert.equal(await gateway.stop(), 0);
    t.diagnostic(`${answers} answers, ${lost} counts lost in all, ${most} at most in one kill`);
  });
});

/** Keys of accounts of their own, made in a database. */
async function newKeys(DATABASE_URL: string, count: number): Promise<readonly string[]> {
  const { database: location } = readConfig({ DATABASE_URL }, () => assert.fail());
  const database = await openDatabase(location, 5000);
  const keys: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const account = { account: randomUUID(), plan: 'roomy', fallbackPlan: 'roomy' };
    const { key } = await createKey(database, systemClock, {
      ...account,
      lifetime: undefined,
      prefix: 'pfx_',
    });
    keys.push(key);
  }
  await database.destroy();
  return keys;
}

/** An authentication service on a database, and a gateway that asks it. */
interface Asking {
  readonly service: Replica;
  readonly origin: string;
  /** Of the service's database. */
  readonly databaseUrl: string;
}

async function startAsking(t: TestContext, place: FaultPlace, DATABASE_URL: string): Promise<Asking> {
  const PLANS = join(place.folder, 'plans.json');
  await writeFile(PLANS, JSON.stringify(plans));
  const service = await Replica.start('auth', {
    NODE_ENV: 'production',
    DIST_DIR: place.distDir,
    DATA_DIR: join(place.folder, 'service-data'),
    DATABASE_URL,
    INTROSPECTION_SECRET: secret,
    PLANS,
  });
  t.after(() => service.kill());
  const { origin } = await place.start({
    INTROSPECTION_URL: `http://127.0.0.1:${service.port}/auth/introspect`,
    INTROSPECTION_SECRET: secret,
  });
  return {
    service,
    origin,
    databaseUrl: DATABASE_URL,
  };
}

/** Whose keys a load shows. */
type Kind = 'known' | 'fresh' | 'invalid';

interface Made {
  readonly kind: Kind;
  readonly sent: number;
  readonly status: number;
}

/** Milliseconds for which a gateway believes what it was told of a key, less what a busy machine may take for it. */
const believed = 8_000;

/**
 * What keys that the gateway knows, keys that it does not know and keys that are none are answered with while something
 * is killed and comes back.
 */
async function killBehind(
  t: TestContext,
  { origin, databaseUrl }: Asking,
  leave: () => Promise<unknown>,
  comeBack: () => Promise<unknown>,
): Promise<void> {
  const made: Made[] = [];
  for (let round = 0; round < rounds(1, 10); round += 1) {
    const from = made.length;
    let isOver = false;
    const [known = '', ...fresh] = await newKeys(databaseUrl, 21);
    const begun = performance.now();
    const one = async (kind: Kind, key: string) => {
      const sent = performance.now();
      const { status } = await ask(origin, paths.paper, key);
      made.push({ kind, sent, status });
      return status;
    };
    assert.equal(await one('known', known), 200);
    const workers = [1, 2, 3, 4].flatMap(() => [
      (async () => {
        while (!isOver) await one('known', known);
      })(),
      (async () => {
        while (!isOver) await one('invalid', generateKey('pfx_'));
      })(),
    ]);
    const since = (kind: Kind, status: number, at: number) =>
      made.slice(at).filter((each) => each.kind === kind && each.status === status).length;
    await until(() => since('known', 200, from) >= 100 && since('invalid', 403, from) >= 20);
    await leave();
    const away = made.length;
    for (const key of fresh) assert.equal(await one('fresh', key), 502);
    await until(() => since('known', 200, away) >= 50 && since('invalid', 502, away) >= 20);
    await comeBack();
    const back = made.length;
    for (const key of fresh) await until(async () => (await one('fresh', key)) === 200);
    await until(() => since('known', 200, back) >= 50 && since('invalid', 403, back) >= 20);
    isOver = true;
    await Promise.all(workers);
    const believing = made
      .slice(from)
      .filter(({ kind, sent }) => kind === 'known' && sent < begun + believed);
    assert.deepEqual(new Set(believing.map(({ status }) => status)), new Set([200]));
  }
  const statuses = (kind: Kind) =>
    new Set(made.filter((each) => each.kind === kind).map(({ status }) => status));
  assert.deepEqual(statuses('invalid'), new Set([403, 502]));
  assert.deepEqual(statuses('fresh'), new Set([502, 200]));
  assert.ok([...statuses('known')].every((status) => status === 200 || status === 502));
  const tally = new Map<string, number>();
  for (const { kind, status } of made)
    tally.set(`${kind} ${status}`, (tally.get(`${kind} ${status}`) ?? 0) + 1);
  t.diagnostic(
    [...tally]
      .sort()
      .map(([what, count]) => `${what}: ${count}`)
      .join(', '),
  );
}

describe('kill -9 under load, of the authentication service,', () => {
  it('costs keys that no one asked about a 502 until it is back, and lets no invalid key in', {
    timeout,
  }, async (t) => {
    const place = await makeFaultPlace(t);
    const asking = await startAsking(t, place, `file:${join(place.folder, 'service.db')}`);
    await killBehind(
      t,
      asking,
      () => asking.service.kill(),
      () => asking.service.start(),
    );
  });
});

async function startDatabase(t: TestContext): Promise<OwnPostgres> {
  const server = await startOwnPostgres();
  t.after(() => server.remove());
  return server;
}

describe('kill -9 under load, of PostgreSQL,', { skip: noOwnPostgres }, () => {
  it('behind the service costs as much, and needs no restart but its own', { timeout }, async (t) => {
    const server = await startDatabase(t);
    const asking = await startAsking(t, await makeFaultPlace(t), server.url);
    await killBehind(t, asking, server.kill, server.start);
  });

  it('behind a gateway by itself is 502 until it is back, and costs no count', { timeout }, async (t) => {
    const server = await startDatabase(t);
    const place = await makeFaultPlace(t);
    const gateway = await place.start({ DATABASE_URL: server.url });
    const [key = ''] = await newKeys(server.url, 1);
    const load = new Load(gateway.origin, key, connections);
    const grown = async (status: number, by: number) => {
      const from = load.made.length;
      await until(() => load.made.slice(from).filter((made) => made.status === status).length >= by);
    };
    for (let round = 0; round < rounds(1, 10); round += 1) {
      await grown(200, 300);
      await server.kill();
      await grown(502, 50);
      await server.start();
      await grown(200, 300);
    }
    const made = await load.end();
    assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([200, 502]));
    assert.equal(await gateway.stop(), 0);
    const [row] = await server.query('select sum(used)::int as used from usage');
    assert.equal(row?.['used'], accepted(made).length);
    t.diagnostic(
      `${accepted(made).length} answered and counted, ${made.length - accepted(made).length} were 502`,
    );
  });
});
