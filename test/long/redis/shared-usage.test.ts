import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { redisLocation } from '../../../gateway/config-values.ts';
import { openSharedUsage } from '../../../gateway/limits/redis/shared-limits.ts';
import { startRedis } from '../../gateway/limits/redis-server.ts';
import { waitUntil } from '../../wait-until.ts';

const [account, month] = ['acc_shown', '2026-11'];

async function open(t: TestContext, url: string) {
  const logged: string[] = [];
  const { usage, close } = await openSharedUsage(redisLocation(url), (message) =>
    logged.push(message),
  );
  t.after(close);
  return { usage, logged };
}

describe('Usage in Redis, read by the authentication service', () => {
  it('is available immediately, and nothing is logged', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    const fields = {
      used: 9,
      [`${month}-20`]: 2,
      [`${month}-03`]: 3,
      [`${month}-12`]: 4,
      [`${month}-12 rejectedByRate key 1`]: 5,
    };
    await server.ask(
      'HSET',
      `pastpaper:{${account}}:${month}`,
      ...Object.entries(fields).flat().map(String),
    );
    const { usage, logged } = await open(t, server.url);
    assert.equal(await usage.read(account, month), 9);
    // Fields of earlier versions are only a day.
    const earlier = { rejectedByRate: 0, rejectedByQuota: 0 };
    assert.deepEqual(await usage.readMonth(account, month), {
      days: [
        { day: `${month}-03`, ...earlier, used: 3 },
        { day: `${month}-12`, used: 4, rejectedByRate: 5, rejectedByQuota: 0 },
        { day: `${month}-20`, ...earlier, used: 2 },
      ],
      keys: [
        { key: '', ...earlier, used: 9 },
        { key: 'key 1', used: 0, rejectedByRate: 5, rejectedByQuota: 0 },
      ],
      hasMore: false,
    });
    assert.deepEqual(logged, []);
  });

  it('cannot be read while Redis is down, which is logged once, and once when it is back', async (t) => {
    const server = await startRedis();
    t.after(() => server.remove());
    await server.kill();
    const { usage, logged } = await open(t, server.url);
    await assert.rejects(usage.read(account, month), {
      name: 'RedisUnavailable',
      message: 'Redis is unavailable',
      stack: 'RedisUnavailable: Redis is unavailable',
    });
    // Long enough for several attempts.
    await delay(1200);
    await server.start();
    await waitUntil(() => logged.length >= 2);
    assert.equal(await usage.read(account, month), 0);
    assert.equal(logged.length, 2);
    assert.match(
      logged[0] ?? '',
      /^Redis is unavailable \(.+\)\. Until it is available again, usage cannot be shown\.$/,
    );
    assert.equal(logged[1], 'Redis is available again. Usage can be shown.');
  });
});
