import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultTimeout } from '../../../gateway/limits/redis/shared-limits.ts';
import { type RedisServer, startRedis } from '../../gateway/limits/redis-server.ts';
import { startTcpProxy } from '../../gateway/tcp-proxy.ts';
import { waitUntil } from '../../wait-until.ts';
import {
  acceptedWithinSecond,
  areLocal,
  areShared,
  assertUsed,
  free,
  month,
  open,
  openReplica,
  roomy,
  startLoad,
  startSpending,
  take,
  used,
} from './replicas.ts';

/** Milliseconds. Long, so that only a test that hangs fails. */
const timeout = 900_000;

/** Settings of a Redis that keeps its data when it is killed. */
const persistent = ['--appendonly', 'yes', '--appendfsync', 'always'];

async function startServer(t: TestContext, ...settings: readonly string[]): Promise<RedisServer> {
  const server = await startRedis(...settings);
  t.after(() => server.remove());
  return server;
}

describe('When Redis', { timeout }, () => {
  it('is down, replicas keep limits locally, log it once, and merge their counts when it is back', async (t) => {
    const server = await startServer(t, ...persistent);
    const [one, two] = await open(t, server.url);
    assert.equal((await take(one, 'school', 10)) + (await take(two, 'school', 10)), 20);
    await server.kill();
    await waitUntil(areLocal([one, two]));
    assert.equal((await take(one, 'school', 7)) + (await take(two, 'school', 5)), 12);
    assert.deepEqual([one.limits.decidedAlone, two.limits.decidedAlone], [7, 5]);
    await assert.rejects(used(one, 'school'), { name: 'RedisUnavailable' });
    // Long enough for several attempts.
    await delay(1500);
    await server.start();
    await waitUntil(areShared([one, two]));
    assert.equal(await used(one, 'school'), 32);
    assert.equal((await one.limits.take('school', roomy)).quota.remaining, 1_000_000 - 33);
    assert.equal((await two.limits.take('school', roomy)).quota.remaining, 1_000_000 - 34);
    assert.deepEqual([one.limits.decidedAlone, two.limits.decidedAlone], [7, 5]);
    const logged = one.logged.filter((line) => line.startsWith('Redis'));
    assert.equal(logged.length, 2, one.logged.join('\n'));
    assert.match(
      logged[0] ?? '',
      /^Redis is unavailable \(.+\)\. Until it is available again, this gateway enforces limits by itself\.$/,
    );
    assert.equal(
      logged[1],
      'Redis is available again. Since its start, this gateway has decided on 7 requests by itself.',
    );
  });

  it('is killed, requests that are pending are decided locally', async (t) => {
    const server = await startServer(t);
    const replica = await openReplica(t, server.url);
    server.pause();
    const decisions = Array.from({ length: 3 }, () => replica.limits.take('asked', roomy));
    await server.kill();
    assert.deepEqual(
      (await Promise.all(decisions)).map(({ accepted, quota }) => [accepted, quota.remaining]),
      [1, 2, 3].map((request) => [true, 1_000_000 - request]),
    );
    assert.equal(replica.limits.decidedAlone, 3);
  });

  it('hangs, replicas keep limits locally, and nothing is counted late when it resumes', async (t) => {
    const server = await startServer(t);
    const replica = await openReplica(t, server.url, defaultTimeout);
    const accounts = Array.from({ length: 40 }, (_, index) => `sleeper-${index}`);
    server.pause();
    const decisions = await Promise.all(
      accounts.map((account) => replica.limits.take(account, free)),
    );
    assert.ok(decisions.every(({ accepted }) => accepted));
    assert.deepEqual([replica.limits.isShared, replica.limits.decidedAlone], [false, 40]);
    assert.match(replica.logged.join('\n'), /Redis is unavailable \(no reply within 500 ms\)/);
    // Longer than two attempts to connect, which a hanging Redis accepts without a reply.
    await delay(1500);
    for (const account of accounts)
      assert.equal((await replica.limits.take(account, free)).accepted, true);
    server.resume();
    await waitUntil(areShared([replica]));
    for (const account of accounts) assert.equal(await used(replica, account), 2);
  });

  for (const [state, absent] of [
    ['down', (server: RedisServer) => server.kill()],
    ['hanging', (server: RedisServer) => server.pause()],
  ] as const) {
    it(`is ${state} at start, a replica starts with local limits, and shares them when it is back`, async (t) => {
      const server = await startServer(t);
      await absent(server);
      const replica = await openReplica(t, server.url, undefined, state === 'hanging');
      assert.equal(replica.limits.isShared, false);
      assert.match(replica.logged[0] ?? '', /^Redis is unavailable/);
      assert.equal(await take(replica, 'early', 3, free), 2);
      if (state === 'down') await server.start();
      else server.resume();
      await waitUntil(areShared([replica]));
      assert.equal(await used(replica, 'early'), 2);
    });
  }

  it('loses its data, replicas restore the counts that they have seen', async (t) => {
    const server = await startServer(t);
    const [one, two] = await open(t, server.url);
    await take(two, 'forgotten', 4);
    await take(one, 'forgotten', 10);
    await server.kill();
    await waitUntil(areLocal([one, two]));
    await take(one, 'forgotten', 5);
    await server.start();
    await waitUntil(areShared([one, two]));
    assert.equal(await used(one, 'forgotten'), 19);
    assert.equal((await two.limits.take('forgotten', roomy)).quota.remaining, 1_000_000 - 20);
  });

  it('is down, a replica reports on shutdown that its counts are lost, if it has any', async (t) => {
    const server = await startServer(t);
    const [one, two] = await open(t, server.url);
    await take(two, 'ending', 1);
    await server.kill();
    await waitUntil(areLocal([one, two]));
    await take(one, 'ending', 1);
    await assert.rejects(one.close(), { name: 'RedisUnavailable' });
    await two.close();
  });
});

describe('When connections to Redis break', { timeout }, () => {
  it('before a reply arrives, a request is counted at most twice', async (t) => {
    const server = await startServer(t);
    const proxy = await startTcpProxy(server.url);
    t.after(() => proxy.close());
    const replica = await openReplica(t, proxy.url);
    proxy.injectFault(/\{answerless\}:recent/, 'response lost');
    assert.equal(await take(replica, 'answerless', 1), 1);
    proxy.pass();
    await waitUntil(areShared([replica]));
    assert.equal(await used(replica, 'answerless'), 2);
  });

  it('while counts are merged, each is counted once', async (t) => {
    const server = await startServer(t);
    const proxy = await startTcpProxy(server.url);
    t.after(() => proxy.close());
    const replica = await openReplica(t, proxy.url);
    const accounts = Array.from({ length: 1200 }, (_, index) => `merged-${index}`);
    proxy.refuse();
    await waitUntil(areLocal([replica]));
    for (const account of accounts) await take(replica, account, 3);
    proxy.pass();
    // In the last of the batches in which the accounts are merged.
    proxy.injectFault(/\{merged-1199\}/, 'response lost');
    await waitUntil(() => proxy.faultCount() >= 3);
    proxy.pass();
    await waitUntil(areShared([replica]));
    for (const account of accounts) assert.equal(await used(replica, account), 3, account);
  });
});

describe('A Redis that rejects writes', { timeout }, () => {
  for (const [why, reason, command, refuse, relent] of [
    [
      'because its memory is full',
      /OOM/,
      'CONFIG',
      ['SET', 'maxmemory', '1'],
      ['SET', 'maxmemory', '0'],
    ],
    [
      'because it is a read-only replica',
      /READONLY/,
      'REPLICAOF',
      ['127.0.0.1', '9'],
      ['NO', 'ONE'],
    ],
  ] as const) {
    it(`${why} is treated as down until it accepts them`, async (t) => {
      const server = await startServer(t);
      const replica = await openReplica(t, server.url);
      await server.ask(command, ...refuse);
      assert.equal(await take(replica, 'refused', 4, free), 2);
      assert.equal(replica.limits.isShared, false);
      await delay(1500);
      const logged = replica.logged.filter((line) => line.startsWith('Redis'));
      assert.equal(logged.length, 1, logged.join('\n'));
      assert.match(logged[0] ?? '', reason);
      await server.ask(command, ...relent);
      await waitUntil(areShared([replica]));
      assert.equal(await used(replica, 'refused'), 2);
    });
  }
});

it('A Redis with passwords is used with the right password; a wrong one is logged as an error, without the password', {
  timeout,
}, async (t) => {
  const user = ['--user', 'replica', 'on', '>s3cret/@', '~*', '+@all'];
  const server = await startServer(t, '--requirepass', 'hunter2', ...user);
  const { host } = new URL(server.url);
  for (const credentials of [
    ':hunter2',
    'default:hunter2',
    `replica:${encodeURIComponent('s3cret/@')}`,
  ]) {
    const replica = await openReplica(t, `redis://${credentials}@${host}/3`);
    assert.deepEqual([replica.limits.isShared, replica.logged], [true, []], credentials);
  }
  for (const credentials of ['', ':wr0ng@', 'replica:hunter2@', 'nobody:hunter2@']) {
    const replica = await openReplica(t, `redis://${credentials}${host}`);
    assert.equal(replica.limits.isShared, false);
    assert.match(replica.logged.join('\n'), /Redis is unavailable \((WRONGPASS|NOAUTH)/);
    assert.doesNotMatch(replica.logged.join('\n'), /hunter2|wr0ng|nobody/);
  }
});

it('Data in Redis expires: recent times after seconds, a month after more than a year', {
  timeout,
}, async (t) => {
  const server = await startServer(t);
  const replica = await openReplica(t, server.url);
  await take(replica, 'passing', 3, free);
  const age = async (name: string) =>
    Number(await server.ask('PTTL', `pastpaper:{passing}:${name}`));
  assert.ok((await age('recent')) <= 2000);
  const months = await age(month);
  assert.ok(months > 366 * 86_400_000 && months <= 400 * 86_400_000, `${months}`);
  await waitUntil(async () => (await age('recent')) === -2);
  assert.equal(await used(replica, 'passing'), 2);
});

describe('During an outage of Redis', { timeout }, () => {
  it('each replica accepts at most the remaining quota that it last saw', async (t) => {
    const server = await startServer(t, ...persistent);
    const replicas = await open(t, server.url);
    const spending = await startSpending(replicas, 'spending');
    await server.kill();
    await spending.duringOutage();
    await server.start();
    await spending.afterOutage();
  });

  it('three replicas accept at most four times the rate in any second, including its start and its end', async (t) => {
    const server = await startServer(t, ...persistent);
    const replicas = await open(t, server.url);
    const load = startLoad(replicas, 'hurried');
    await load.waitForAccepted(4);
    for (let outage = 0; outage < 3; outage += 1) {
      await server.kill();
      await waitUntil(areLocal(replicas));
      await load.waitForAccepted(12);
      await server.start();
      await waitUntil(areShared(replicas));
      await load.waitForAccepted(2);
    }
    const accepted = await load.stop();
    assert.ok(acceptedWithinSecond(load) <= 4 * free.perSecond, JSON.stringify(load.accepted));
    const [one] = replicas;
    // At each kill one request of each replica may have been pending.
    assertUsed(await used(one, 'hurried'), accepted, 0, 9);
  });
});
