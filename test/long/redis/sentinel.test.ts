import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../../gateway/config.ts';
import { redis } from '../../../gateway/ops/doctor/redis.ts';
import { noRedis } from '../../gateway/limits/redis-server.ts';
import { startSentinels } from './redis-sentinels.ts';
import {
  acceptedWithinSecond,
  areLocal,
  areShared,
  free,
  open,
  startLoad,
  take,
  used,
  waitUntil,
} from './replicas.ts';

/** The timeout of a test in milliseconds; tests normally take much less. */
const timeout = 120_000;

describe('Limits that replicas share in a Redis with Sentinels', { skip: noRedis, timeout }, () => {
  it('are kept locally while a replica is promoted, within the bounds of an outage', async (t) => {
    const { url, primary, replica, sentinels, remove } = await startSentinels();
    t.after(remove);
    const replicas = await open(t, url, 3);
    const [one, two, three] = replicas;
    assert.ok(one && two && three && areShared(replicas)());
    const findings = [await redis.run(readConfig({ REDIS_URL: url }, assert.fail))].flat();
    assert.deepEqual(
      findings
        .filter(({ message }) => !message.startsWith('It'))
        .map(({ state, message }) => `${state}: ${message}`),
      [
        ...sentinels.map(
          ({ port }) =>
            `ok: Sentinel at 127.0.0.1:${port} responds. The primary is 127.0.0.1:${primary.port}.`,
        ),
        `ok: Redis at 127.0.0.1:${primary.port} responds.`,
        `ok: Redis at 127.0.0.1:${replica.port} responds as a replica.`,
        'warning: The primary accepts requests while it is isolated from its replicas.',
      ],
    );
    const plan = { perSecond: 1_000_000, perMonth: 100 };
    await take(one, 'spending', 30, plan);
    await take(two, 'spending', 30, plan);
    const load = startLoad(replicas, 'hot');
    await load.waitForAccepted(4);
    await primary.kill();
    await waitUntil(areLocal(replicas));
    assert.deepEqual(
      await Promise.all(replicas.map((replica) => take(replica, 'spending', 300, plan))),
      // The third has never seen the account.
      [70, 40, 100],
    );
    await waitUntil(areShared(replicas));
    assert.deepEqual(
      await Promise.all(replicas.map((replica) => take(replica, 'spending', 10, plan))),
      [0, 0, 0],
    );
    assert.equal(await used(one, 'spending'), 60 + 210);
    assert.match(String(await replica.ask('INFO', 'replication')), /role:master/);
    await load.waitForAccepted(4);
    const accepted = await load.stop();
    assert.ok(acceptedWithinSecond(load) <= 4 * free.perSecond);
    // What a second allows may not have been replicated; of each replica one request may have been pending.
    const counted = await used(one, 'hot');
    assert.ok(counted >= accepted - free.perSecond && counted <= accepted + 3, `${counted} of ${accepted}`);
  });

  it('leave a primary that is replaced although it still responds', async (t) => {
    const { url, primary, replica, sentinels, remove } = await startSentinels();
    t.after(remove);
    const [gateway] = await open(t, url, 1);
    assert.ok(gateway);
    await take(gateway, 'school', 3);
    // The old primary does not learn that it is none any more: the replica is promoted without it.
    for (const sentinel of sentinels.slice(1)) await sentinel.kill();
    await replica.ask('REPLICAOF', 'NO', 'ONE');
    await sentinels[0]?.ask('SENTINEL', 'REMOVE', 'main');
    await sentinels[0]?.ask('SENTINEL', 'MONITOR', 'main', '127.0.0.1', String(replica.port), '2');
    await waitUntil(() => gateway.logged.length >= 2);
    assert.match(gateway.logged[0] ?? '', /^Redis is unavailable \(the primary is now 127\.0\.0\.1:\d+\)/);
    assert.match(gateway.logged[1] ?? '', /^Redis is available again/);
    await take(gateway, 'school', 2);
    assert.equal(
      await replica.ask('HGET', `pastpaper:{school}:${new Date().toISOString().slice(0, 7)}`, 'used'),
      '5',
    );
    assert.equal(await primary.ask('PING'), 'PONG');
  });

  it('use passwords of Redis and Sentinels, and report a wrong name of the primary', async (t) => {
    const { url, remove } = await startSentinels('s3cret/@');
    t.after(remove);
    const withPassword = url.replace('//', `//:${encodeURIComponent('s3cret/@')}@`);
    const [without, right, wrong] = await Promise.all([
      open(t, url, 1),
      open(t, withPassword, 1),
      open(t, withPassword.replace('/main', '/other'), 1),
    ]);
    assert.equal(right[0]?.limits.isShared, true);
    assert.match(without[0]?.logged[0] ?? '', /^Redis is unavailable \(Sentinel at 127\.0\.0\.1:\d+: NOAUTH/);
    assert.match(wrong[0]?.logged[0] ?? '', /No such master with that name/);
  });
});
