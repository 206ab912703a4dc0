import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../../../gateway/config.ts';
import { defaultTimeout } from '../../../gateway/limits/redis/shared-limits.ts';
import { slotOf } from '../../../gateway/limits/redis/slots.ts';
import { redis } from '../../../gateway/ops/doctor/redis.ts';
import { noRedis } from '../../gateway/limits/redis-server.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { RedisCluster } from './redis-cluster.ts';
import {
  acceptedWithinSecond,
  areLocal,
  areShared,
  free,
  month,
  open,
  startLoad,
  take,
  used,
  waitUntil,
} from './replicas.ts';

/** Fills a second in less time than `free`. */
const brisk = { perSecond: 10, perMonth: 1_000_000 };

/** The timeout of a test in milliseconds; tests normally take much less. */
const timeout = 120_000;

/** An account whose keys are in this slot. */
function accountIn(slot: number, name: string): string {
  for (let number = 0; ; number += 1) if (slotOf(`${name}_${number}`) === slot) return `${name}_${number}`;
}

describe('Limits that replicas share in a Redis Cluster', { skip: noRedis, timeout }, async () => {
  if (noRedis) return;
  const cluster = await RedisCluster.start();
  after(() => cluster.remove());
  const accounts = Array.from({ length: 60 }, (_, index) => `acc_${index}`);

  it('are exact on every shard, also after their scripts were flushed', async (t) => {
    const replicas = await open(t, cluster.url, 3);
    const plan = { perSecond: 1_000_000, perMonth: 50 };
    const takeOnAll = async (account: string) => {
      const accepted = await Promise.all(replicas.map((replica) => take(replica, account, 20, plan)));
      return accepted.reduce((sum, count) => sum + count, 0);
    };
    for (const account of accounts.slice(0, 30)) assert.equal(await takeOnAll(account), 50);
    for (const node of cluster.nodes) await node.ask('SCRIPT', 'FLUSH');
    for (const account of accounts.slice(30)) {
      assert.equal(await takeOnAll(account), 50);
      assert.equal(await replicas[0]?.usage.read(account, month), 50);
    }
    assert.ok(replicas.every(({ limits }) => limits.isShared && limits.decidedAlone === 0));
    assert.deepEqual(
      replicas.flatMap(({ logged }) => logged),
      [],
    );
  });

  it('are ready according to doctor, which checks every node', async () => {
    const findings = await check(cluster.url);
    for (const { port } of cluster.nodes.slice(0, 3)) {
      assert.ok(findings.includes(`ok: Redis at 127.0.0.1:${port} responds.`), findings.join('\n'));
    }
    for (const { port } of cluster.nodes.slice(3)) {
      assert.ok(
        findings.includes(`ok: Redis at 127.0.0.1:${port} responds as a replica.`),
        findings.join('\n'),
      );
    }
    assert.equal(findings.filter((finding) => finding === 'ok: It writes every count to disk.').length, 6);
    assert.ok(findings.every((finding) => finding.startsWith('ok: ')));
    const [first] = cluster.nodes;
    const [single = ''] = await check(first?.url ?? '');
    assert.match(single, /^problem: .* is a node of Redis Cluster/);
  });

  it('are not shared over the URL of one node, which the log explains', async (t) => {
    const [first] = cluster.nodes;
    const [replica] = await open(t, first?.url ?? '', 1);
    assert.ok(replica);
    for (const account of accounts) assert.equal(await take(replica, account, 1), 1);
    assert.match(
      replica.logged.join('\n'),
      /is unavailable \(it is a node of Redis Cluster: write redis\+cluster:/,
    );
  });

  it('use the slots that Redis calculates', async () => {
    for (const account of accounts) {
      assert.equal(await cluster.nodes[0]?.ask('CLUSTER', 'KEYSLOT', `{${account}}`), slotOf(account));
    }
  });

  it('are kept locally for one shard while its primary is down, within the bounds of an outage', async (t) => {
    const replicas = await open(t, cluster.url, 3);
    const [one, two, three] = replicas;
    assert.ok(one && two && three);
    const [hot, spending, other] = [
      accountIn(100, 'hot'),
      accountIn(100, 'spending'),
      accountIn(9000, 'other'),
    ];
    const plan = { perSecond: 1_000_000, perMonth: 100 };
    await take(one, spending, 30, plan);
    await take(two, spending, 30, plan);
    const primary = await cluster.primaryOf(hot);
    await cluster.waitUntilReplicated(primary);
    const stopDownloads = await startDownloads(t, cluster.url);
    const [hotLoad, otherLoad] = [startLoad(replicas, hot, brisk), startLoad(replicas, other, brisk)];
    await hotLoad.waitForAccepted(20);
    await primary.kill();
    await waitUntil(areLocal(replicas));
    assert.deepEqual(
      await Promise.all(replicas.map((replica) => take(replica, spending, 300, plan))),
      // The third has never seen the account.
      [70, 40, 100],
    );
    await waitUntil(areShared(replicas));
    assert.deepEqual(
      await Promise.all(replicas.map((replica) => take(replica, spending, 10, plan))),
      [0, 0, 0],
    );
    assert.equal(await used(one, spending), 60 + 210);
    await hotLoad.waitForAccepted(20);
    const counts = await Promise.all([hotLoad, otherLoad].map((load) => load.stop()));
    assert.deepEqual(await stopDownloads(), new Set([200]));
    assert.ok(acceptedWithinSecond(hotLoad) <= 4 * brisk.perSecond);
    assert.ok(acceptedWithinSecond(otherLoad) <= brisk.perSecond, 'on a shard that was never down');
    assert.equal(await used(one, other), counts[1]);
    // What a second allows may not have been replicated; of each replica one request may have been pending.
    assertUsed(await used(one, hot), counts[0] ?? 0, brisk.perSecond, 3);
    for (const { logged } of replicas) {
      const lines = logged.filter((line) => line.startsWith('Redis'));
      assert.equal(lines.length, 2, logged.join('\n'));
      assert.match(lines[0] ?? '', new RegExp(`^Redis at 127.0.0.1:${primary.port} is unavailable \\(`));
      assert.match(lines[1] ?? '', /^Redis at 127\.0\.0\.1:\d+ is available again\./);
    }
    await primary.start();
    await cluster.waitUntilComplete();
  });

  it('exceed the quota after a failover at most by what was not replicated', async (t) => {
    const [one, two] = await open(t, cluster.url, 2);
    assert.ok(one && two);
    const [first, second] = [accountIn(200, 'first'), accountIn(200, 'second')];
    const plan = { perSecond: 1_000_000, perMonth: 20 };
    for (const account of [first, second]) await take(one, account, 10, plan);
    const primary = await cluster.primaryOf(first);
    await cluster.waitUntilReplicated(primary);
    await cluster.isolateReplica(primary);
    for (const account of [first, second]) assert.equal(await take(one, account, 5, plan), 5);
    await primary.kill();
    await waitUntil(areLocal([one, two]));
    await waitUntil(areShared([one, two]));
    // A replica that has seen the counts restores them.
    assert.equal(await take(one, first, 1, plan), 1);
    assert.equal(await take(two, first, 20, plan), 4);
    // One that has not seen them accepts five more requests.
    assert.equal(await take(two, second, 20, plan), 10);
    assert.equal(await take(one, second, 20, plan), 0);
    await primary.start();
    await cluster.waitUntilComplete();
  });

  it('stay within the bounds of an outage while a replica is promoted by hand', async (t) => {
    const replicas = await open(t, cluster.url, 3);
    const account = accountIn(300, 'promoted');
    const load = startLoad(replicas, account, brisk);
    await load.waitForAccepted(10);
    const before = await cluster.primaryOf(account);
    await cluster.promoteReplica(before);
    await waitUntil(async () => (await cluster.primaryOf(account)) !== before);
    await load.waitForAccepted(20);
    const accepted = await load.stop();
    await waitUntil(areShared(replicas));
    assert.ok(acceptedWithinSecond(load) <= 4 * brisk.perSecond);
    const [one] = replicas;
    assert.ok(one);
    await waitUntil(async () => (await used(one, account)) >= accepted);
    assertUsed(await used(one, account), accepted, 0, 3);
    await cluster.waitUntilComplete();
  });

  it('stay within the bounds of an outage while a slot is moved, and lose no count', async (t) => {
    const replicas = await open(t, cluster.url, 3);
    const slot = 400;
    const [hot, idle, unseen] = ['moved', 'idle', 'unseen'].map((name) => accountIn(slot, name)) as [
      string,
      string,
      string,
    ];
    const [one] = replicas;
    assert.ok(one);
    await take(one, idle, 3);
    const from = await cluster.primaryOf(hot);
    const to = await cluster.primaryOf(accountIn(9000, 'any'));
    const load = startLoad(replicas, hot, brisk);
    await load.waitForAccepted(15);
    await cluster.moveSlot(slot, from, to, async () => {
      await load.waitForAccepted(15);
      assert.equal((await take(one, idle, 2)) + (await take(one, unseen, 2)), 4);
    });
    assert.equal(await cluster.primaryOf(hot), to);
    await load.waitForAccepted(15);
    // The next requests find that the slot is elsewhere again.
    await cluster.moveSlot(slot, to, from);
    await load.waitForAccepted(15);
    const accepted = await load.stop();
    assert.ok(acceptedWithinSecond(load) <= 4 * brisk.perSecond);
    await waitUntil(async () => (await used(one, hot)) === accepted);
    await waitUntil(async () => (await used(one, idle)) === 5 && (await used(one, unseen)) === 2);
    assert.ok(replicas.every(({ limits }) => limits.isShared));
    assert.deepEqual(
      replicas.flatMap(({ logged }) => logged.filter((line) => line.startsWith('Redis'))),
      [],
    );
  });

  it('stay within the bounds of an outage while a primary hangs, and when it resumes as a replica', async (t) => {
    const replicas = await open(t, cluster.url, 2, defaultTimeout);
    const [one] = replicas;
    assert.ok(one);
    await waitUntil(areShared(replicas));
    const account = accountIn(500, 'hanging');
    const primary = await cluster.primaryOf(account);
    const load = startLoad(replicas, account, brisk);
    await load.waitForAccepted(20);
    primary.pause();
    await waitUntil(areLocal(replicas));
    await waitUntil(areShared(replicas));
    await load.waitForAccepted(20);
    primary.resume();
    await load.waitForAccepted(20);
    await cluster.waitUntilComplete();
    const accepted = await load.stop();
    await waitUntil(areShared(replicas));
    assert.ok(acceptedWithinSecond(load) <= 3 * brisk.perSecond);
    await waitUntil(async () => (await used(one, account)) >= accepted - brisk.perSecond);
    assertUsed(await used(one, account), accepted, brisk.perSecond, 2);
  });

  it('stay exact while redis-cli moves slots under load', async (t) => {
    const replicas = await open(t, cluster.url, 3);
    const slots = 200;
    const from = await cluster.primaryOf(accountIn(1000, 'any'));
    const to = await cluster.primaryOf(accountIn(9000, 'any'));
    const plan = { perSecond: 1_000_000, perMonth: 400 };
    const moving = Array.from({ length: 20 }, (_, index) => accountIn(index, 'resharded'));
    const loads = moving.map((account) => startLoad(replicas, account, plan));
    await Promise.all(loads.map((load) => load.waitForAccepted(50)));
    await cluster.reshard(from, to, slots);
    await waitUntil(() => loads.every((load) => load.accepted.length >= plan.perMonth));
    const accepted = await Promise.all(loads.map((load) => load.stop()));
    const [one] = replicas;
    assert.ok(one);
    for (const [index, account] of moving.entries()) {
      await waitUntil(async () => (await used(one, account)) >= (accepted[index] ?? 0));
      assert.equal(await used(one, account), accepted[index]);
    }
    const alone = replicas.reduce((sum, { limits }) => sum + limits.decidedAlone, 0);
    const most = plan.perMonth * moving.length + alone;
    assert.ok(accepted.reduce((sum, count) => sum + count, 0) <= most, `${accepted} with ${alone}`);
    assert.ok(replicas.every(({ limits }) => limits.isShared));
  });

  it('are kept locally if no node responds at the start, and merged when the nodes respond', async (t) => {
    await Promise.all(cluster.nodes.map((node) => node.kill()));
    const [replica] = await open(t, cluster.url, 1);
    assert.ok(replica);
    assert.equal(replica.limits.isShared, false);
    assert.match(replica.logged[0] ?? '', /^Redis is unavailable \(connect ECONNREFUSED/);
    const early = [accountIn(1, 'early'), accountIn(16_000, 'early')];
    for (const account of early) assert.equal(await take(replica, account, 3, free), 2);
    await Promise.all(cluster.nodes.map((node) => node.start()));
    await waitUntil(areShared([replica]));
    for (const account of early) assert.equal(await used(replica, account), 2);
  });
});

/**
 * Downloads through a gateway with keys of accounts on all shards.
 *
 * @returns ends that, and returns the statuses of all responses
 */
async function startDownloads(t: TestContext, url: string): Promise<() => Promise<ReadonlySet<number>>> {
  const gateway = await runGateway({ REDIS_URL: url }, 'embedded');
  t.after(gateway.close);
  const statuses = new Set<number>();
  let isOver = false;
  const clients = Array.from({ length: 9 }, async (_, index) => {
    const { key } = await gateway.createKey(`school_${index}`);
    while (!isOver) {
      const headers = { Authorization: `Bearer ${key}` };
      const response = await fetch(`${gateway.baseUrl}/neet/2024/s1/physics.json`, { headers });
      await response.arrayBuffer();
      statuses.add(response.status);
      await delay(20);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(clients);
    return statuses;
  };
}

/** The findings of doctor, a line each: state and message. */
async function check(url: string): Promise<readonly string[]> {
  const findings = await redis.run(readConfig({ REDIS_URL: url }, assert.fail));
  return [findings].flat().map(({ state, message }) => `${state}: ${message}`);
}

/** Requests that are pending when a connection breaks may be counted twice. */
function assertUsed(counted: number, accepted: number, lost: number, twice: number): void {
  assert.ok(counted >= accepted - lost && counted <= accepted + twice, `${counted} of ${accepted}`);
}

const noOpenssl = noRedis || (spawnSync('openssl', ['version']).error ? 'there is no openssl' : false);

describe('A Redis Cluster with TLS, and a user that may use only the keys of gateways', {
  skip: noOpenssl,
  timeout,
}, () => {
  it('is used if its certificate is valid', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'pastpaper-tls-'));
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=redis'];
    spawnSync('openssl', [
      ...request,
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-keyout',
      key,
      '-out',
      cert,
    ]);
    const secured = await RedisCluster.start({ cert, key, password: 's3cret/,@' });
    t.after(async () => {
      await secured.remove();
      await rm(folder, { recursive: true });
    });
    const [distrusting] = await open(t, secured.url, 1);
    assert.match(distrusting?.logged.join('\n') ?? '', /Redis is unavailable \(self-signed certificate\)/);
    assert.doesNotMatch(distrusting?.logged.join('\n') ?? '', /s3cret/);
    // Node reads NODE_EXTRA_CA_CERTS only when it starts.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    t.after(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
    const [trusting] = await open(t, secured.url, 1);
    assert.ok(trusting);
    for (let account = 0; account < 20; account += 1) await take(trusting, `secured_${account}`, 1);
    assert.deepEqual(
      [trusting.limits.isShared, trusting.limits.decidedAlone, trusting.logged],
      [true, 0, []],
    );
  });
});
