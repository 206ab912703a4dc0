import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { calendarOf, systemClock } from '../../../gateway/clock.ts';
import { openSharedLimits } from '../../../gateway/limits/redis/shared-limits.ts';
import { noRedis, startRedis } from '../../gateway/limits/redis-server.ts';
import { SetRedis } from '../../gateway/limits/set-redis.ts';

const roomy = { perSecond: 1_000_000, perMonth: 1000 };
const month = '2026-11';

async function startReplica(t: TestContext) {
  const redis = await SetRedis.start();
  t.after(() => redis.remove());
  const { limits, close } = await redis.open();
  /** What the log tells of Redis; that counts cannot be written meanwhile is told by others. */
  const told = () => redis.logged.filter((line) => line.startsWith('Redis'));
  const left = async (account: string) => (await limits.take(account, roomy)).quota.remaining;
  const until = async (isShared: boolean) => {
    while (limits.isShared !== isShared) await delay(10);
  };
  /** Redis comes again, without what it held. */
  const start = async () => {
    await redis.server.start();
    await redis.pass(0);
    await until(true);
  };
  return { redis, limits, close, told, left, until, start };
}

/** Opens limits by the clocks as they are. */
async function openReplica(t: TestContext, url: string) {
  const logged: string[] = [];
  const opened = await openSharedLimits({
    url,
    timeout: 20_000,
    clock: systemClock,
    log: (message) => logged.push(message),
  });
  t.after(opened.close);
  return { ...opened, logged };
}

const away = /^Redis is away \(.+\)\. This replica keeps limits by itself until it is back\.$/;

describe('Limits that replicas share', { skip: noRedis }, () => {
  it('are kept by the replica alone while Redis is away, and merged before Redis decides again', async (t) => {
    const { redis, limits, told, left, until, start } = await startReplica(t);
    for (const [outage, alone] of [2, 4].entries()) {
      const school = `school-${outage}`;
      assert.deepEqual([await left(school), await left(school)], [999, 998]);
      await redis.server.kill();
      await until(false);
      assert.deepEqual([await left(school), await left(school)], [997, 996]);
      assert.equal(limits.decidedAlone, alone);
      await start();
      assert.equal(await redis.usage.read(school, month), 4);
      assert.equal(await left(school), 995);
      assert.equal(limits.decidedAlone, alone);
      const [went, came, ...others] = told().slice(2 * outage);
      assert.match(went ?? '', away);
      assert.equal(
        came,
        `Redis is back. Since its start, this replica has decided on ${alone} requests alone.`,
      );
      assert.deepEqual(others, []);
    }
  });

  it('are kept by the replica alone for the requests that were asked of Redis when it went', async (t) => {
    const { redis, limits } = await startReplica(t);
    redis.server.pause();
    const decisions = Array.from({ length: 3 }, () => limits.take('asked', roomy));
    await redis.server.kill();
    assert.deepEqual(
      (await Promise.all(decisions)).map(({ accepted, quota }) => [accepted, quota.remaining]),
      [
        [true, 999],
        [true, 998],
        [true, 997],
      ],
    );
    assert.equal(limits.decidedAlone, 3);
  });

  it('end in peace without Redis where all is written, and say so where something is not', async (t) => {
    const { redis, close, left, until } = await startReplica(t);
    const { close: closeOther, limits: other } = await redis.open();
    await left('ending');
    await redis.server.kill();
    await until(false);
    while (other.isShared) await delay(10);
    await left('ending');
    await assert.rejects(close(), { name: 'RedisUnavailable' });
    await closeOther();
  });

  it('are shared where Redis gives the replicas rights to their own names alone', async (t) => {
    const server = await startRedis('--user', 'replica', 'on', '>s3cret', '~pastpaper:*', '+@all');
    t.after(() => server.remove());
    const url = server.url.replace('//', '//replica:s3cret@');
    const { limits, usage, logged } = await openReplica(t, url);
    assert.deepEqual([limits.isShared, logged], [true, []]);
    const { quota } = await limits.take('own', roomy);
    assert.equal(quota.remaining, 999);
    assert.equal(limits.decidedAlone, 0);
    assert.equal(await usage.read('own', calendarOf(systemClock.now()).month), 1);
  });

  it('are kept by the replica alone as long as Redis takes no writes', async (t) => {
    const server = await startRedis('--maxmemory', '1');
    t.after(() => server.remove());
    const { limits, logged } = await openReplica(t, server.url);
    assert.equal(limits.isShared, false);
    assert.match(
      logged.join(),
      /^Redis is away \(OOM .+\)\. This replica keeps limits by itself until it is back\.$/,
    );
    await server.ask('CONFIG', 'SET', 'maxmemory', '0');
    while (!limits.isShared) await delay(10);
  });
});
