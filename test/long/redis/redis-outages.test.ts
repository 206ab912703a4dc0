import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { calendarOf, systemClock } from '../../../gateway/clock.ts';
import {
  defaultTimeout,
  type OpenedLimits,
  openSharedLimits,
} from '../../../gateway/limits/redis/shared-limits.ts';
import { noRedis, type RedisServer, startRedis } from '../../gateway/limits/redis-server.ts';
import { startTcpProxy } from '../../gateway/tcp-proxy.ts';

const free = { perSecond: 2, perMonth: 1000 };
const roomy = { perSecond: 1_000_000, perMonth: 1_000_000 };
const { month } = calendarOf(Date.now());

/** Milliseconds for a test: generous, and none of them waits for it. */
const timeout = 120_000;

/** A Redis that keeps what it was told over its end. */
const lasting = ['--appendonly', 'yes', '--appendfsync', 'always'];

interface Replica extends OpenedLimits {
  readonly logged: string[];
}

async function until(isIt: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isIt())) await delay(10);
}

async function startServer(t: TestContext, ...settings: readonly string[]): Promise<RedisServer> {
  const server = await startRedis(...settings);
  t.after(() => server.remove());
  return server;
}

/** @param timeout milliseconds; where nothing has to hang, more than a busy machine needs */
async function openReplica(t: TestContext, url: string, timeout = 20_000): Promise<Replica> {
  const logged: string[] = [];
  const log = (message: string, error?: unknown) => void logged.push(`${message} ${error ?? ''}`.trim());
  const opened = await openSharedLimits({ url, timeout, clock: systemClock, log });
  t.after(() => opened.close().catch(() => {}));
  return { ...opened, logged };
}

const open = (t: TestContext, url: string, replicas: number) =>
  Promise.all(Array.from({ length: replicas }, () => openReplica(t, url)));

const areShared = (replicas: readonly Replica[]) => () => replicas.every(({ limits }) => limits.isShared);
const areAlone = (replicas: readonly Replica[]) => () => replicas.every(({ limits }) => !limits.isShared);

/** So many requests at once, and how many of them are accepted. */
async function take({ limits }: Replica, account: string, times: number, plan = roomy): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: times }, () => limits.take(account, plan)));
  return decisions.filter(({ accepted }) => accepted).length;
}

const used = async ({ usage }: Replica, account: string) => usage.read(account, month);

describe('Without Redis', { skip: noRedis, timeout }, () => {
  it('that is gone, replicas go on by themselves, tell of it once, and merge their counts when it is back', async (t) => {
    const server = await startServer(t, ...lasting);
    const [one, two] = await open(t, server.url, 2);
    assert.ok(one && two);
    assert.equal((await take(one, 'school', 10)) + (await take(two, 'school', 10)), 20);
    await server.kill();
    await until(areAlone([one, two]));
    assert.equal((await take(one, 'school', 7)) + (await take(two, 'school', 5)), 12);
    assert.deepEqual([one.limits.decidedAlone, two.limits.decidedAlone], [7, 5]);
    await assert.rejects(used(one, 'school'), { name: 'RedisUnavailable' });
    // Long enough for some attempts.
    await delay(1500);
    await server.start();
    await until(areShared([one, two]));
    assert.equal(await used(one, 'school'), 32);
    assert.equal((await one.limits.take('school', roomy)).quota.remaining, 1_000_000 - 33);
    assert.equal((await two.limits.take('school', roomy)).quota.remaining, 1_000_000 - 34);
    assert.deepEqual([one.limits.decidedAlone, two.limits.decidedAlone], [7, 5]);
    const told = one.logged.filter((line) => line.startsWith('Redis'));
    assert.equal(told.length, 2, one.logged.join('\n'));
    assert.match(
      told[0] ?? '',
      /^Redis is away \(.+\)\. This replica keeps limits by itself until it is back\.$/,
    );
    assert.equal(told[1], 'Redis is back. Since its start, this replica has decided on 7 requests alone.');
  });

  it('that hangs, replicas go on by themselves, and nothing is counted late when it wakes', async (t) => {
    const server = await startServer(t);
    const replica = await openReplica(t, server.url, defaultTimeout);
    await until(areShared([replica]));
    const accounts = Array.from({ length: 40 }, (_, index) => `sleeper-${index}`);
    server.pause();
    const decisions = await Promise.all(accounts.map((account) => replica.limits.take(account, free)));
    assert.ok(decisions.every(({ accepted }) => accepted));
    assert.deepEqual([replica.limits.isShared, replica.limits.decidedAlone], [false, 40]);
    assert.match(replica.logged.join('\n'), /Redis is away \(no answer within 500 ms\)/);
    // Past the attempts to connect, which a Redis that hangs takes without a word.
    await delay(3000);
    for (const account of accounts) assert.equal((await replica.limits.take(account, free)).accepted, true);
    server.resume();
    await until(areShared([replica]));
    for (const account of accounts) assert.equal(await used(replica, account), 2);
  });

  for (const [state, absent] of [
    ['gone', (server: RedisServer) => server.kill()],
    ['hanging', (server: RedisServer) => server.pause()],
  ] as const) {
    it(`that is ${state} at the start, a replica starts on its own limits, and joins when it can`, async (t) => {
      const server = await startServer(t);
      await absent(server);
      const replica = await openReplica(t, server.url);
      assert.equal(replica.limits.isShared, false);
      assert.match(replica.logged[0] ?? '', /^Redis is away/);
      assert.equal(await take(replica, 'early', 3, free), 2);
      if (state === 'gone') await server.start();
      else server.resume();
      await until(areShared([replica]));
      assert.equal(await used(replica, 'early'), 2);
    });
  }

  it('that lost what it held, replicas bring their counts back', async (t) => {
    const server = await startServer(t);
    const [one, two] = await open(t, server.url, 2);
    assert.ok(one && two);
    await take(two, 'forgotten', 4);
    await take(one, 'forgotten', 10);
    await server.kill();
    await until(areAlone([one, two]));
    await take(one, 'forgotten', 5);
    await server.start();
    await until(areShared([one, two]));
    assert.equal(await used(one, 'forgotten'), 19);
    assert.equal((await two.limits.take('forgotten', roomy)).quota.remaining, 1_000_000 - 20);
  });

  it('a replica that ends says that its counts are lost, and ends in peace when it has none', async (t) => {
    const server = await startServer(t);
    const [one, two] = await open(t, server.url, 2);
    assert.ok(one && two);
    await take(two, 'ending', 1);
    await server.kill();
    await until(areAlone([one, two]));
    await take(one, 'ending', 1);
    await assert.rejects(one.close(), { name: 'RedisUnavailable' });
    await two.close();
  });
});

describe('With connections to Redis that break', { skip: noRedis, timeout }, () => {
  for (const [how, breakOff] of [
    ['cut', (proxy) => proxy.cut()],
    ['silent', (proxy) => proxy.hang()],
    ['refused', (proxy) => proxy.refuse()],
  ] as readonly (readonly [string, (proxy: Awaited<ReturnType<typeof startTcpProxy>>) => void])[]) {
    it(`${how}, a replica goes on by itself, and shares again when they are let through`, async (t) => {
      const server = await startServer(t);
      const proxy = await startTcpProxy(server.url);
      t.after(() => proxy.close());
      const replica = await openReplica(t, proxy.url, defaultTimeout);
      await until(areShared([replica]));
      let accepted = await take(replica, 'far', 10);
      breakOff(proxy);
      accepted += await take(replica, 'far', 10);
      assert.equal(replica.limits.isShared, false);
      accepted += await take(replica, 'far', 10);
      proxy.pass();
      await until(areShared([replica]));
      accepted += await take(replica, 'far', 10);
      assert.equal(accepted, 40);
      // What was on its way when they broke may have arrived: it is then counted twice, and never not at all.
      const counted = await used(replica, 'far');
      assert.ok(counted >= 40 && counted <= 50, `${counted}`);
    });
  }

  it('before an answer has come, a request is counted twice at most', async (t) => {
    const server = await startServer(t);
    const proxy = await startTcpProxy(server.url);
    t.after(() => proxy.close());
    const replica = await openReplica(t, proxy.url);
    proxy.tamper(/\{answerless\}:recent/, 'answer lost');
    assert.equal(await take(replica, 'answerless', 1), 1);
    proxy.pass();
    await until(areShared([replica]));
    assert.equal(await used(replica, 'answerless'), 2);
  });

  it('while counts are merged, those are counted once', async (t) => {
    const server = await startServer(t);
    const proxy = await startTcpProxy(server.url);
    t.after(() => proxy.close());
    const replica = await openReplica(t, proxy.url);
    const accounts = Array.from({ length: 1200 }, (_, index) => `merged-${index}`);
    proxy.refuse();
    await until(areAlone([replica]));
    for (const account of accounts) await take(replica, account, 3);
    proxy.pass();
    // In the last of the portions that the accounts are merged in.
    proxy.tamper(/\{merged-1199\}/, 'answer lost');
    await until(() => proxy.tampered() >= 3);
    proxy.pass();
    await until(areShared([replica]));
    for (const account of accounts) assert.equal(await used(replica, account), 3, account);
  });
});

describe('A Redis that takes no writes', { skip: noRedis, timeout }, () => {
  for (const [why, reason, refuse, relent] of [
    ['for want of memory', /OOM/, ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['as it is no primary', /READONLY/, ['REPLICAOF', '127.0.0.1', '9'], ['REPLICAOF', 'NO', 'ONE']],
  ] as const) {
    it(`${why}, counts as one that is away, until it does`, async (t) => {
      const server = await startServer(t);
      const replica = await openReplica(t, server.url);
      await server.ask(...refuse);
      assert.equal(await take(replica, 'refused', 4, free), 2);
      assert.equal(replica.limits.isShared, false);
      await delay(1500);
      const told = replica.logged.filter((line) => line.startsWith('Redis'));
      assert.equal(told.length, 1, told.join('\n'));
      assert.match(told[0] ?? '', reason);
      await server.ask(...relent);
      await until(areShared([replica]));
      assert.equal(await used(replica, 'refused'), 2);
    });
  }
});

describe('A Redis with passwords', { skip: noRedis, timeout }, () => {
  it('lets in who has the right one; another is told of, and never which', async (t) => {
    const user = ['--user', 'replica', 'on', '>s3cret/@', '~*', '+@all'];
    const server = await startServer(t, '--requirepass', 'hunter2', ...user);
    const { host } = new URL(server.url);
    for (const credentials of [':hunter2', 'default:hunter2', `replica:${encodeURIComponent('s3cret/@')}`]) {
      const replica = await openReplica(t, `redis://${credentials}@${host}/3`);
      assert.deepEqual([replica.limits.isShared, replica.logged], [true, []], credentials);
    }
    for (const credentials of ['', ':wr0ng@', 'replica:hunter2@', 'nobody:hunter2@']) {
      const replica = await openReplica(t, `redis://${credentials}${host}`);
      assert.equal(replica.limits.isShared, false);
      assert.match(replica.logged.join('\n'), /Redis is away \((WRONGPASS|NOAUTH)/);
      assert.doesNotMatch(replica.logged.join('\n'), /hunter2|wr0ng|nobody/);
    }
  });
});

describe('What Redis holds', { skip: noRedis, timeout }, () => {
  it('does not stay: moments for seconds, a month for more than a year', async (t) => {
    const server = await startServer(t);
    const replica = await openReplica(t, server.url);
    await take(replica, 'passing', 3, free);
    const age = async (name: string) => Number(await server.ask('PTTL', `pastpaper:{passing}:${name}`));
    assert.ok((await age('recent')) <= 2000);
    const months = await age(month);
    assert.ok(months > 366 * 86_400_000 && months <= 400 * 86_400_000, `${months}`);
    await until(async () => (await age('recent')) === -2);
    assert.equal(await used(replica, 'passing'), 2);
  });
});

describe('In an outage', { skip: noRedis, timeout }, () => {
  it('each replica lets through what is left of the quota as it last saw it, and no more', async (t) => {
    const plan = { perSecond: 1_000_000, perMonth: 100 };
    const server = await startServer(t, ...lasting);
    const replicas = await open(t, server.url, 3);
    const [one, two, three] = replicas;
    assert.ok(one && two && three);
    await take(one, 'spending', 30, plan);
    await take(two, 'spending', 30, plan);
    await server.kill();
    await until(areAlone(replicas));
    const accepted = await Promise.all(replicas.map((replica) => take(replica, 'spending', 300, plan)));
    // The third has never seen the account.
    assert.deepEqual(accepted, [70, 40, 100]);
    await server.start();
    await until(areShared(replicas));
    assert.deepEqual(
      await Promise.all(replicas.map((replica) => take(replica, 'spending', 10, plan))),
      [0, 0, 0],
    );
    assert.equal(await used(one, 'spending'), 60 + 210);
  });

  it('three replicas let through at most four times the rate in any second, from its beginning to its end', async (t) => {
    const server = await startServer(t, ...lasting);
    const replicas = await open(t, server.url, 3);
    const accepted: { readonly sent: number; readonly received: number }[] = [];
    let isOver = false;
    const clients = replicas.map(async ({ limits }) => {
      while (!isOver) {
        const sent = performance.now();
        const decision = await limits.take('hurried', free);
        if (decision.accepted) accepted.push({ sent, received: performance.now() });
        await delay(1);
      }
    });
    const grown = async (by: number) => {
      const before = accepted.length;
      await until(() => accepted.length >= before + by);
    };
    await grown(4);
    for (let outage = 0; outage < 3; outage += 1) {
      await server.kill();
      await until(areAlone(replicas));
      await grown(12);
      await server.start();
      await until(areShared(replicas));
      await grown(2);
    }
    isOver = true;
    await Promise.all(clients);
    for (const { sent } of accepted) {
      // Decided on within one second for certain.
      const within = accepted.filter((one) => one.sent >= sent && one.received < sent + 1000);
      assert.ok(within.length <= 4 * free.perSecond, JSON.stringify(within));
    }
    const [one] = replicas;
    assert.ok(one);
    const counted = await used(one, 'hurried');
    // One request of each replica may have been under way at each end.
    assert.ok(
      counted >= accepted.length && counted <= accepted.length + 9,
      `${counted} of ${accepted.length}`,
    );
  });
});
