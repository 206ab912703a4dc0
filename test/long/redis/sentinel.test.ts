import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultTimeout } from '../../../gateway/limits/redis/shared-limits.ts';
import { waitUntil } from '../../wait-until.ts';
import { startSentinels } from './redis-servers.ts';
import {
  acceptedWithinSecond,
  areShared,
  assertUsed,
  findingsOf,
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

describe('Limits that replicas share in a Redis with Sentinels', { timeout }, () => {
  it('are kept locally while a replica is promoted, within the bounds of an outage', async (t) => {
    const { url, primary, replica, sentinels, remove } = await startSentinels();
    t.after(remove);
    const replicas = await open(t, url);
    const [one] = replicas;
    assert.ok(areShared(replicas)());
    assert.deepEqual(
      (await findingsOf(url)).filter((finding) => !finding.startsWith('ok: It')),
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
    const spending = await startSpending(replicas, 'spending');
    const load = startLoad(replicas, 'hot');
    await load.waitForAccepted(4);
    await primary.kill();
    await spending.duringOutage();
    await spending.afterOutage();
    assert.match(String(await replica.ask('INFO', 'replication')), /role:master/);
    await load.waitForAccepted(4);
    const accepted = await load.stop();
    assert.ok(acceptedWithinSecond(load) <= 4 * free.perSecond);
    // What a second allows may not have been replicated; of each replica one request may have been pending.
    assertUsed(await used(one, 'hot'), accepted, free.perSecond, 3);
  });

  it('leave a primary that is replaced although it still responds', async (t) => {
    const { url, primary, replica, sentinels, remove } = await startSentinels();
    t.after(remove);
    const gateway = await openReplica(t, url);
    await take(gateway, 'school', 3);
    // The old primary does not learn that it is none any more: the replica is promoted without it.
    for (const sentinel of sentinels.slice(1)) await sentinel.kill();
    // A Sentinel that knows it would make it a replica again.
    await sentinels[0]?.ask('SENTINEL', 'REMOVE', 'main');
    await replica.ask('REPLICAOF', 'NO', 'ONE');
    await sentinels[0]?.ask('SENTINEL', 'MONITOR', 'main', '127.0.0.1', String(replica.port), '2');
    await waitUntil(() => gateway.logged.length >= 2);
    assert.match(
      gateway.logged[0] ?? '',
      /^Redis is unavailable \(the primary is now 127\.0\.0\.1:\d+\)/,
    );
    assert.match(gateway.logged[1] ?? '', /^Redis is available again/);
    await take(gateway, 'school', 2);
    assert.equal(await replica.ask('HGET', `pastpaper:{school}:${month}`, 'used'), '5');
    assert.equal(await primary.ask('PING'), 'PONG');
  });

  it('do not wait for a Sentinel that hangs, and stay shared while all of them are down', async (t) => {
    const { url, sentinels, remove } = await startSentinels();
    t.after(remove);
    const replica = await openReplica(t, url, defaultTimeout);
    sentinels[0]?.pause();
    const load = startLoad([replica], 'unhindered', roomy);
    // Long enough for several questions to the Sentinels.
    await delay(3000);
    for (const sentinel of sentinels) await sentinel.kill();
    await delay(3000);
    const accepted = await load.stop();
    assert.deepEqual(
      [await used(replica, 'unhindered'), replica.limits.decidedAlone],
      [accepted, 0],
    );
  });

  it('use passwords of Redis and Sentinels, and report a wrong name of the primary', async (t) => {
    const { url, remove } = await startSentinels('s3cret/@');
    t.after(remove);
    const withPassword = url.replace('//', `//:${encodeURIComponent('s3cret/@')}@`);
    const [without, right, wrong] = await Promise.all([
      openReplica(t, url),
      openReplica(t, withPassword),
      openReplica(t, withPassword.replace('/main', '/other')),
    ]);
    assert.deepEqual([right.limits.isShared, right.logged], [true, []]);
    assert.match(
      without.logged[0] ?? '',
      /^Redis is unavailable \(Sentinel at 127\.0\.0\.1:\d+: NOAUTH/,
    );
    assert.match(wrong.logged[0] ?? '', /No such master with that name/);
  });
});
