import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { slotOf } from '../../../gateway/limits/redis/client.ts';
import { defaultTimeout } from '../../../gateway/limits/redis/shared-limits.ts';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { runGateway } from '../../gateway/running-gateway.ts';
import { waitUntil } from '../../wait-until.ts';
import { Load } from '../replicas/load.ts';
import { RedisCluster } from './redis-servers.ts';
import {
  acceptedWithinSecond,
  areLocal,
  areShared,
  assertUsed,
  findingsOf,
  open,
  openReplica,
  startLoad,
  startSpending,
  take,
  used,
} from './replicas.ts';

/** Fills a second in less time than `free`. */
const brisk = { perSecond: 10, perMonth: 1_000_000 };

/** Milliseconds. Long, so that only a test that hangs fails. */
const timeout = 900_000;

const accounts = Array.from({ length: 60 }, (_, index) => `acc_${index}`);

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** An account whose keys are in this slot. */
function accountIn(slot: number, name: string): string {
  for (let number = 0; ; number += 1)
    if (slotOf(`${name}_${number}`) === slot) return `${name}_${number}`;
}

describe('Limits that replicas share in a Redis Cluster', { timeout }, async () => {
  const cluster = await RedisCluster.start();
  after(() => cluster.remove());

  it('are exact on every shard, also after their scripts were flushed', async (t) => {
    const replicas = await open(t, cluster.url);
    const plan = { perSecond: 1_000_000, perMonth: 50 };
    const takeOnAll = async (account: string) =>
      sum(await Promise.all(replicas.map((replica) => take(replica, account, 20, plan))));
    for (const account of accounts.slice(0, 30)) assert.equal(await takeOnAll(account), 50);
    for (const node of cluster.nodes) await node.ask('SCRIPT', 'FLUSH');
    for (const account of accounts.slice(30)) {
      assert.equal(await takeOnAll(account), 50);
      assert.equal(await used(replicas[0], account), 50);
    }
    assert.ok(replicas.every(({ limits }) => limits.isShared && limits.decidedAlone === 0));
    assert.deepEqual(
      replicas.flatMap(({ logged }) => logged),
      [],
    );
  });

  it('are ready according to doctor, which checks every node', async () => {
    const findings = await findingsOf(cluster.url);
    for (const [index, { port }] of cluster.nodes.entries()) {
      const finding = `ok: Redis at 127.0.0.1:${port} responds${index < 3 ? '' : ' as a replica'}.`;
      assert.ok(findings.includes(finding), findings.join('\n'));
    }
    assert.equal(
      findings.filter((finding) => finding === 'ok: It writes every count to disk.').length,
      6,
    );
    assert.ok(findings.every((finding) => finding.startsWith('ok: ')));
    const [first] = cluster.nodes;
    const [single = ''] = await findingsOf(first?.url ?? '');
    assert.match(single, /^problem: .* is a node of Redis Cluster/);
  });

  it('are not shared over the URL of one node, which the log explains', async (t) => {
    const [first] = cluster.nodes;
    const replica = await openReplica(t, first?.url ?? '');
    for (const account of accounts) assert.equal(await take(replica, account, 1), 1);
    assert.match(
      replica.logged.join('\n'),
      /is unavailable \(it is a node of Redis Cluster: write redis\+cluster:/,
    );
  });

  it('use the slots that Redis calculates', async () => {
    for (const account of accounts) {
      assert.equal(
        await cluster.nodes[0]?.ask('CLUSTER', 'KEYSLOT', `{${account}}`),
        slotOf(account),
      );
    }
  });

  it('are kept locally for one shard while its primary is down, within the bounds of an outage', async (t) => {
    const replicas = await open(t, cluster.url);
    const [one] = replicas;
    const [hot, other] = [accountIn(100, 'hot'), accountIn(9000, 'other')];
    const spending = await startSpending(replicas, accountIn(100, 'spending'));
    const primary = await cluster.primaryOf(hot);
    await cluster.waitUntilReplicated(primary);
    const stopDownloads = await startDownloads(t, cluster.url);
    const [hotLoad, otherLoad] = [
      startLoad(replicas, hot, brisk),
      startLoad(replicas, other, brisk),
    ];
    await hotLoad.waitForAccepted(20);
    await primary.kill();
    await spending.duringOutage();
    await spending.afterOutage();
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
      assert.match(
        lines[0] ?? '',
        new RegExp(`^Redis at 127.0.0.1:${primary.port} is unavailable \\(`),
      );
      assert.match(lines[1] ?? '', /^Redis at 127\.0\.0\.1:\d+ is available again\./);
    }
    await primary.start();
    await cluster.waitUntilComplete();
  });

  it('exceed the quota after a failover at most by what was not replicated', async (t) => {
    const [one, two] = await open(t, cluster.url);
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

  it('stay within the bounds of an outage while a slot is moved, and lose no count', async (t) => {
    const replicas = await open(t, cluster.url);
    const slot = 400;
    const [hot, idle, unseen] = [
      accountIn(slot, 'moved'),
      accountIn(slot, 'idle'),
      accountIn(slot, 'unseen'),
    ];
    const [one] = replicas;
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
    const replicas = await open(t, cluster.url, defaultTimeout);
    const [one] = replicas;
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
    assert.ok(acceptedWithinSecond(load) <= 4 * brisk.perSecond);
    await waitUntil(async () => (await used(one, account)) >= accepted - brisk.perSecond);
    assertUsed(await used(one, account), accepted, brisk.perSecond, 3);
  });

  it('stay exact while redis-cli moves slots under load', async (t) => {
    const replicas = await open(t, cluster.url);
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
    for (const [index, account] of moving.entries()) {
      await waitUntil(async () => (await used(one, account)) >= (accepted[index] ?? 0));
      assert.equal(await used(one, account), accepted[index]);
    }
    const alone = sum(replicas.map(({ limits }) => limits.decidedAlone));
    assert.ok(sum(accepted) <= plan.perMonth * moving.length + alone, `${accepted} with ${alone}`);
    assert.ok(replicas.every(({ limits }) => limits.isShared));
  });
});

/**
 * Downloads through a gateway with keys of accounts on all shards.
 *
 * @returns ends that, and returns the statuses of all responses
 */
async function startDownloads(t: TestContext, url: string) {
  const gateway = await runGateway({ REDIS_URL: url }, 'in-real-time');
  t.after(gateway.close);
  const keys = await Promise.all(accounts.slice(0, 9).map((account) => gateway.createKey(account)));
  const loads = keys.map(({ key }) => new Load(gateway.baseUrl, key, 1, 20));
  return async () => {
    const requests = await Promise.all(loads.map((load) => load.end()));
    return new Set(requests.flat().map(({ status }) => status));
  };
}

const noOpenssl = spawnSync('openssl', ['version']).error ? 'there is no openssl' : false;

describe('A Redis Cluster with TLS, and a user that may use only the keys of gateways', {
  skip: noOpenssl,
  timeout,
}, () => {
  it('is used if its certificate is valid', async (t) => {
    const folder = await temporaryFolder();
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const request = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=redis',
    ];
    const name = ['-addext', 'subjectAltName=IP:127.0.0.1'];
    spawnSync('openssl', [...request, ...name, '-keyout', key, '-out', cert]);
    const secured = await RedisCluster.start({ cert, key, password: 's3cret/,@' });
    t.after(() => secured.remove());
    const distrusting = await openReplica(t, secured.url);
    assert.match(distrusting.logged.join('\n'), /Redis is unavailable \(self-signed certificate\)/);
    assert.doesNotMatch(distrusting.logged.join('\n'), /s3cret/);
    // Node reads NODE_EXTRA_CA_CERTS only when it starts.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    t.after(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
    const trusting = await openReplica(t, secured.url);
    for (let account = 0; account < 20; account += 1) await take(trusting, `secured_${account}`, 1);
    assert.deepEqual(
      [trusting.limits.isShared, trusting.limits.decidedAlone, trusting.logged],
      [true, 0, []],
    );
  });
});
