import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultTimeout } from '../../../gateway/limits/redis.ts';
import { type RedisServer, startRedis } from '../../gateway/limits/redis-server.ts';
import { waitUntil } from '../../wait-until.ts';
import { mostWithinSecond } from '../replicas/load.ts';
import {
  areLocal,
  areShared,
  free,
  open,
  openReplica,
  roomy,
  startLoad,
  take,
  used,
} from './replicas.ts';

/** Milliseconds. Long, so that only a test that hangs fails. */
const timeout = 900_000;

async function startServer(t: TestContext, ...settings: readonly string[]): Promise<RedisServer> {
  const server = await startRedis('--appendonly', 'yes', '--appendfsync', 'always', ...settings);
  t.after(() => server.remove());
  return server;
}

describe('When Redis', { timeout }, () => {
  it('is down, gateways limit in memory from the totals that they last saw, log it once, and merge nothing', async (t) => {
    const server = await startServer(t);
    const [one, two] = await open(t, server.url);
    const plan = { perSecond: 1_000_000, perMonth: 100 };
    assert.equal((await take(one, 'school', 30, plan)) + (await take(two, 'school', 30, plan)), 60);
    await server.kill();
    await waitUntil(areLocal([one, two]));
    // Each accepts what was left when it last saw the account.
    assert.deepEqual(
      [await take(one, 'school', 300, plan), await take(two, 'school', 300, plan)],
      [70, 40],
    );
    await assert.rejects(used(one, 'school'), { name: 'RedisUnavailable' });
    await delay(1500);
    await server.start();
    await waitUntil(areShared([one, two]));
    assert.equal(await used(one, 'school'), 60);
    const logged = one.logged.filter((line) => line.startsWith('Redis'));
    assert.equal(logged.length, 2, one.logged.join('\n'));
    assert.match(
      logged[0] ?? '',
      /^Redis is unavailable \(.+\)\. Until it is available again, limits are kept/,
    );
    assert.match(
      logged[1] ?? '',
      /^Redis is available again\. Since its start, this process has decided on 300/,
    );
  });

  it('hangs, gateways limit in memory, and nothing is counted late when it resumes', async (t) => {
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
    await delay(1500);
    server.resume();
    await waitUntil(areShared([replica]));
    for (const account of accounts) assert.equal(await used(replica, account), 0);
  });

  it('is down at start, a gateway starts, and shares its limits when it is back', async (t) => {
    const server = await startServer(t);
    await server.kill();
    const replica = await openReplica(t, server.url);
    assert.equal(replica.limits.isShared, false);
    assert.equal(await take(replica, 'early', 3, free), 2);
    await server.start();
    await waitUntil(areShared([replica]));
    assert.equal(await take(replica, 'early', 3, free), 2);
  });

  it('loses its data, gateways restore the counts that they have seen', async (t) => {
    const server = await startServer(t);
    const [one, two] = await open(t, server.url);
    await take(two, 'forgotten', 4);
    await take(one, 'forgotten', 4);
    await server.ask('FLUSHALL');
    assert.equal((await one.limits.take('forgotten', roomy)).quota.remaining, 1_000_000 - 9);
  });

  it('rejects writes, or a password, it is away', async (t) => {
    const full = await startServer(t, '--maxmemory', '1', '--maxmemory-policy', 'noeviction');
    const secured = await startServer(t, '--requirepass', 's3cret');
    for (const [url, reason] of [
      [full.url, /OOM/],
      [secured.url, /NOAUTH/],
      [secured.url.replace('//', '//:wrong@'), /WRONGPASS/],
    ] as const) {
      const replica = await openReplica(t, url);
      assert.match(replica.logged[0] ?? '', reason);
      assert.doesNotMatch(replica.logged.join(), /s3cret|wrong@/);
      assert.equal(await take(replica, 'any', 3, free), 2);
    }
    const right = await openReplica(t, secured.url.replace('//', '//:s3cret@'));
    assert.deepEqual([right.limits.isShared, right.logged], [true, []]);
  });

  it('goes and comes, three gateways accept at most four times the rate in any second', async (t) => {
    const server = await startServer(t);
    const replicas = await open(t, server.url);
    const load = startLoad(replicas, 'hot');
    await load.waitForAccepted(4);
    for (let outage = 0; outage < 2; outage += 1) {
      await server.kill();
      await waitUntil(areLocal(replicas));
      await load.waitForAccepted(12);
      await server.start();
      await waitUntil(areShared(replicas));
      await load.waitForAccepted(4);
    }
    await load.stop();
    const most = mostWithinSecond(load.accepted);
    console.log(
      `Three gateways accepted at most ${most} requests in a second of a plan of ${free.perSecond}.`,
    );
    assert.ok(most <= 4 * free.perSecond, `${most}`);
  });
});
