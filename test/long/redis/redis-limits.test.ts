import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { FakeTimeRedis } from '../../gateway/limits/fake-time-redis.ts';

const free = { perSecond: 2, perMonth: 1000 };
const roomy = { perSecond: 1_000_000, perMonth: 1000 };
const hour = 3_600_000;

describe('Limits that replicas share in Redis', async () => {
  const redis = await FakeTimeRedis.start();
  after(() => redis.remove());
  const opened = await Promise.all(Array.from({ length: 3 }, () => redis.open()));
  const replicas = opened.map(({ limits }) => limits);
  const [one, two, three] = replicas;
  const [{ usage }] = opened as [(typeof opened)[0], ...typeof opened];
  assert.ok(one && two && three);
  const used = (account: string) => usage.read(account, '2026-11');

  /** Sends this many requests to each replica at the same time. Returns whether each is accepted. */
  async function takeOnAll(account: string, plan: typeof free, times: number): Promise<boolean[]> {
    const decisions = Array.from({ length: times }, () =>
      replicas.map((replica) => replica.take(account, plan)),
    );
    return (await Promise.all(decisions.flat())).map(({ accepted }) => accepted);
  }

  const count = (accepted: readonly boolean[]) => accepted.filter((is) => is).length;

  it('apply the rate limit across all replicas', async () => {
    assert.equal(count(await takeOnAll('flooded', free, 100)), 2);
    await redis.advance(999.999);
    assert.equal(count(await takeOnAll('flooded', free, 100)), 0);
    await redis.advance(0.001);
    assert.equal(count(await takeOnAll('flooded', free, 100)), 2);
    assert.equal(await used('flooded'), 4);
  });

  it('count a request in the current month of the replica that receives it, and no month twice', async () => {
    const [early, late] = [Date.UTC(2026, 10, 30, 23, 59, 59), Date.UTC(2026, 11, 1)];
    const now = redis.clock.now();
    redis.clock.setBack(now - early);
    await one.take('turn', roomy);
    redis.clock.setBack(early - late);
    await two.take('turn', roomy);
    redis.clock.setBack(late - early);
    assert.equal((await three.take('turn', roomy)).quota.remaining, 998);
    redis.clock.setBack(early - now);
    const days = async (month: string) =>
      (await usage.readMonth('turn', month)).days.map(({ day, used }) => [day, used]);
    assert.deepEqual(await days('2026-11'), [['2026-11-30', 2]]);
    assert.deepEqual(await days('2026-12'), [['2026-12-01', 1]]);
  });

  it('accept no extra request after the Redis clock was set back, and block an account for at most a second', async () => {
    for (const step of [0.001, 300, 1000, hour]) {
      const account = `set-back-${step}`;
      assert.ok((await one.take(account, free)).accepted);
      await redis.advance(400);
      assert.ok((await two.take(account, free)).accepted);
      await redis.setClock(-step);
      assert.equal((await three.take(account, free)).accepted, false);
      await redis.advance(999.999);
      assert.ok(count(await takeOnAll(account, free, 5)) <= (step < 400 ? 1 : 0));
      await redis.advance(0.002);
      assert.equal((await three.take(account, free)).accepted, true);
      await redis.setClock(step);
    }
  });

  it('keep working after the Redis clock was set forward', async () => {
    const before = opened.map(({ limits }) => limits.decidedAlone);
    await one.take('set-forward', free);
    await redis.setClock(hour);
    assert.equal(count(await takeOnAll('set-forward', free, 1)), 2);
    await redis.setClock(-hour);
    assert.deepEqual(await takeOnAll('set-forward', free, 1), [false, false, false]);
    await redis.advance(1000);
    assert.equal(count(await takeOnAll('set-forward', free, 1)), 2);
    assert.deepEqual(
      opened.map(({ limits }) => limits.decidedAlone),
      before,
    );
  });

  it('were shared during all of these tests', () => assert.deepEqual(redis.logged, []));
});
