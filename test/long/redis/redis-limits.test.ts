import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { LRUCache } from 'lru-cache';
import { calendarOf } from '../../../gateway/clock.ts';
import { decide, usageOf } from '../../../gateway/limits/decision.ts';
import { redisLimits } from '../../../gateway/limits/redis/redis-limits.ts';
import { Script } from '../../../gateway/limits/redis/scripts.ts';
import { noRedis } from '../../gateway/limits/redis-server.ts';
import { SetRedis } from '../../gateway/limits/set-redis.ts';

const free = { perSecond: 2, perMonth: 1000 };
const roomy = { perSecond: 1_000_000, perMonth: 1000 };
const hour = 3_600_000;

describe('Limits that replicas share in Redis', { skip: noRedis }, async () => {
  if (noRedis) return;
  const redis = await SetRedis.start();
  after(() => redis.remove());
  const opened = await Promise.all(Array.from({ length: 3 }, () => redis.open()));
  const replicas = opened.map(({ limits }) => limits);
  const [one, two, three] = replicas;
  assert.ok(one && two && three);
  const used = (account: string) => redis.usage.read(account, '2026-11');

  /** Whether each of so many requests that come at once by way of all replicas is accepted. */
  async function flood(account: string, plan: typeof free, times: number): Promise<boolean[]> {
    const decisions = Array.from({ length: times }, () =>
      replicas.map((replica) => replica.take(account, plan)),
    );
    return (await Promise.all(decisions.flat())).map(({ accepted }) => accepted);
  }

  const count = (accepted: readonly boolean[]) => accepted.filter((is) => is).length;

  it('hold the rate over all of them', async () => {
    assert.equal(count(await flood('flooded', free, 100)), 2);
    await redis.pass(999.999);
    assert.equal(count(await flood('flooded', free, 100)), 0);
    await redis.pass(0.001);
    assert.equal(count(await flood('flooded', free, 100)), 2);
    assert.equal(await used('flooded'), 4);
  });

  it('let exactly the quota through, by whichever of them', async () => {
    assert.equal(count(await flood('spent', roomy, 500)), 1000);
    assert.equal(await used('spent'), 1000);
  });

  it('decide as one, microsecond by microsecond, on whatever comes by whichever of them', async () => {
    let accounts = 0;
    const requests = fc.array(
      fc.record({ gap: fc.integer({ min: 0, max: 600_000 }), by: fc.integer({ min: 0, max: 2 }) }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(requests, fc.integer({ min: 1, max: 5 }), async (requests, perSecond) => {
        accounts += 1;
        const plan = { perSecond, perMonth: 20 };
        const usage = usageOf(calendarOf(redis.clock.now()).month, 0);
        for (const { gap, by } of requests) {
          await redis.pass(gap / 1000);
          const moment = { now: redis.clock.now(), elapsed: redis.clock.elapsed() };
          assert.deepEqual(await replicas[by]?.take(`any-${accounts}`, plan), decide(usage, plan, moment));
        }
      }),
    );
  });

  it('count the month that it is where a request comes in, and no month twice', async () => {
    const [early, late] = [Date.UTC(2026, 10, 30, 23, 59, 59), Date.UTC(2026, 11, 1)];
    const now = redis.clock.now();
    redis.clock.setBack(now - early);
    await one.take('turn', roomy);
    redis.clock.setBack(early - late);
    await two.take('turn', roomy);
    redis.clock.setBack(late - early);
    assert.equal((await three.take('turn', roomy)).quota.remaining, 998);
    redis.clock.setBack(early - now);
    assert.deepEqual(await redis.usage.readDays('turn', '2026-11'), [{ day: '2026-11-30', used: 2 }]);
    assert.deepEqual(await redis.usage.readDays('turn', '2026-12'), [{ day: '2026-12-01', used: 1 }]);
  });

  it('after Redis’s clock was set back, let no more through, and hold an account up for a second at most', async () => {
    for (const step of [0.001, 300, 1000, hour]) {
      const account = `set-back-${step}`;
      assert.ok((await one.take(account, free)).accepted);
      await redis.pass(400);
      assert.ok((await two.take(account, free)).accepted);
      await redis.setClock(-step);
      assert.equal((await three.take(account, free)).accepted, false);
      await redis.pass(999.999);
      assert.ok(count(await flood(account, free, 5)) <= (step < 400 ? 1 : 0));
      await redis.pass(0.002);
      assert.equal((await three.take(account, free)).accepted, true);
      await redis.setClock(step);
    }
  });

  it('go on when Redis’s clock was set forward: a deadline is taken by the clock that it is now', async () => {
    const before = opened.map(({ limits }) => limits.decidedAlone);
    await one.take('set-forward', free);
    await redis.setClock(hour);
    assert.equal(count(await flood('set-forward', free, 1)), 2);
    await redis.setClock(-hour);
    assert.deepEqual(await flood('set-forward', free, 1), [false, false, false]);
    await redis.pass(1000);
    assert.equal(count(await flood('set-forward', free, 1)), 2);
    assert.deepEqual(
      opened.map(({ limits }) => limits.decidedAlone),
      before,
    );
  });

  it('do not decide, and count nothing, when Redis is too late time after time', async () => {
    const take = await readFile(new URL('../../../gateway/limits/redis/take.lua', import.meta.url), 'utf8');
    // By a clock that is an hour on whenever it is looked at.
    const late = take.replace("redis.call('TIME')", "{ redis.call('INCRBY', 'test:late', 3600), 0 }");
    const limits = redisLimits(redis.ask, new Script(late), new LRUCache({ max: 100 }), redis.clock, 20_000);
    await limits.greet(redis.ask);
    await assert.rejects(limits.take('late', free), {
      name: 'RedisUnavailable',
      message: 'Redis decided too late',
    });
    assert.equal(await used('late'), 0);
  });

  it('bring back what Redis has lost, as far as they have seen it', async () => {
    for (let request = 0; request < 20; request += 1) await one.take('lost', roomy);
    for (let request = 0; request < 5; request += 1) await two.take('lost', roomy);
    await redis.ask(['DEL', 'pastpaper:{lost}:2026-11']);
    assert.equal((await three.take('lost', roomy)).quota.remaining, 999);
    assert.equal((await one.take('lost', roomy)).quota.remaining, 1000 - 21);
    assert.equal((await two.take('lost', roomy)).quota.remaining, 1000 - 26);
    assert.equal((await one.take('lost', roomy)).quota.remaining, 1000 - 27);
  });

  it('go on when Redis was made to forget its scripts', async () => {
    await redis.ask(['SCRIPT', 'FLUSH']);
    assert.equal(count(await flood('forgotten', free, 20)), 2);
    assert.ok(opened.every(({ limits }) => limits.isShared));
  });

  it('were shared all the time', () => assert.deepEqual(redis.logged, []));
});
