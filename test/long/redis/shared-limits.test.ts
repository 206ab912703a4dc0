import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { calendarOf, systemClock } from '../../../gateway/clock.ts';
import { redisLocation } from '../../../gateway/config-values.ts';
import { openSharedLimits } from '../../../gateway/limits/redis/shared-limits.ts';
import { FakeTimeRedis } from '../../gateway/limits/fake-time-redis.ts';
import { noRedis, startRedis } from '../../gateway/limits/redis-server.ts';

const roomy = { perSecond: 1_000_000, perMonth: 1000 };
const month = '2026-11';

async function startReplica(t: TestContext) {
  const redis = await FakeTimeRedis.start();
  t.after(() => redis.remove());
  const { limits, close } = await redis.open();
  /** The log lines about Redis, without those about counts that cannot be written. */
  const redisLines = () => redis.logged.filter((line) => line.startsWith('Redis'));
  const remaining = async (account: string) => (await limits.take(account, roomy)).quota.remaining;
  const waitUntilShared = async (isShared: boolean) => {
    while (limits.isShared !== isShared) await delay(10);
  };
  /** Restarts Redis without its data. */
  const start = async () => {
    await redis.server.start();
    await redis.advance(0);
    await waitUntilShared(true);
  };
  return { redis, limits, close, redisLines, remaining, waitUntilShared, start };
}

/** Opens limits with the system clock. */
async function openReplica(t: TestContext, url: string) {
  const logged: string[] = [];
  const opened = await openSharedLimits({
    location: redisLocation(url),
    timeout: 20_000,
    clock: systemClock,
    log: (message) => logged.push(message),
  });
  t.after(opened.close);
  return { ...opened, logged };
}

const away =
  /^Redis is unavailable \(.+\)\. Until it is available again, this gateway enforces limits by itself\.$/;

describe('Limits that replicas share', { skip: noRedis }, () => {
  it('are kept locally while Redis is down, and merged before Redis decides again', async (t) => {
    const { redis, limits, redisLines, remaining, waitUntilShared, start } = await startReplica(t);
    for (const [outage, alone] of [2, 4].entries()) {
      const school = `school-${outage}`;
      assert.deepEqual([await remaining(school), await remaining(school)], [999, 998]);
      await redis.server.kill();
      await waitUntilShared(false);
      assert.deepEqual([await remaining(school), await remaining(school)], [997, 996]);
      assert.equal(limits.decidedAlone, alone);
      await start();
      assert.equal(await redis.usage.read(school, month), 4);
      assert.equal(await remaining(school), 995);
      assert.equal(limits.decidedAlone, alone);
      const [down, back, ...others] = redisLines().slice(2 * outage);
      assert.match(down ?? '', away);
      assert.equal(
        back,
        `Redis is available again. Since its start, this gateway has decided on ${alone} requests by itself.`,
      );
      assert.deepEqual(others, []);
    }
  });

  it('are decided locally for requests that are pending when Redis is killed', async (t) => {
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

  it('close without an error while Redis is down if all counts are written, and with one if not', async (t) => {
    const { redis, close, remaining, waitUntilShared } = await startReplica(t);
    const { close: closeOther, limits: other } = await redis.open();
    await remaining('ending');
    await redis.server.kill();
    await waitUntilShared(false);
    while (other.isShared) await delay(10);
    await remaining('ending');
    await assert.rejects(close(), { name: 'RedisUnavailable' });
    await closeOther();
  });

  it('are shared if Redis restricts replicas to keys with their prefix', async (t) => {
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

  it('are kept locally while Redis rejects writes', async (t) => {
    const server = await startRedis('--maxmemory', '1');
    t.after(() => server.remove());
    const { limits, logged } = await openReplica(t, server.url);
    assert.equal(limits.isShared, false);
    assert.match(
      logged.join(),
      /^Redis is unavailable \(OOM .+\)\. Until it is available again, this gateway enforces limits by itself\.$/,
    );
    await server.ask('CONFIG', 'SET', 'maxmemory', '0');
    while (!limits.isShared) await delay(10);
  });
});
