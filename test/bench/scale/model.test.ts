import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Costs,
  capacityOf,
  checksPerRequest,
  latencyOf,
  lineThrough,
  type Profile,
  partsOf,
} from './model.ts';

const request = { embedded: 20, shared: 30, redis: 10, bytes: 500 };
const free = { ...request, redis: 0 };
const costs: Costs = {
  requests: {
    ...{ metadata: free, metadata304: free, paper: { ...request, bytes: 2500 }, paper304: request },
    ...{ diagram: request, '401': free, '429': request },
  },
  keyCheck: { embedded: 80, gateway: 100, service: 200, database: 50 },
  signIn: 80_000,
  redisBytes: 1400,
  databaseBytes: 350,
};
const profile: Profile = {
  requestsPerMonth: 1000,
  peak: 10,
  mix: { metadata: 0.5, metadata304: 0.5, paper: 0.6, paper304: 0.3, diagram: 0.1, '401': 0.02, '429': 0.05 },
  session: { requests: 20, seconds: 60 },
  signInsPerMonth: 2,
  cdn: 0.9,
};
const counts = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

describe('The capacity model', () => {
  it('leaves every part half of its time', () => {
    for (const accounts of counts) {
      const { gateways, gatewayUse, shardUse } = capacityOf(accounts, costs, profile);
      assert.ok(gatewayUse <= 0.5 && shardUse <= 0.5);
      // One gateway less would be too few.
      if (gateways > 2) assert.ok((gatewayUse * gateways) / (gateways - 1) > 0.45);
    }
  });

  it('needs more of everything for more accounts', () => {
    const all = counts.map((accounts) => capacityOf(accounts, costs, profile));
    for (const [index, more] of all.slice(1).entries()) {
      const less = all[index];
      assert.ok(less);
      for (const name of ['gateways', 'shards', 'serviceCores', 'databaseCores', 'bandwidth'] as const)
        assert.ok(more[name] >= less[name], name);
    }
  });

  it('embeds everything until one process is half busy', () => {
    assert.deepEqual(
      counts.map((accounts) => capacityOf(accounts, costs, profile).isEmbedded),
      [true, true, true, true, false, false],
    );
    const { gateways, shards, serviceCores } = capacityOf(1e4, costs, profile);
    assert.deepEqual([gateways, shards, serviceCores], [1, 0, 0]);
  });

  it('checks a key once in the time of a cache entry at one gateway, and each request at very many', () => {
    assert.equal(checksPerRequest(profile, 1), 6 / 20);
    assert.ok(Math.abs(checksPerRequest(profile, 1e6) - 1) < 0.001);
    assert.equal(checksPerRequest({ session: { requests: 1, seconds: 60 } }, 1), 1);
  });

  it('adds shards for memory as well as for processor time', () => {
    const { shards, redisMemory } = capacityOf(1e7, { ...costs, redisBytes: 14_000 }, profile);
    assert.ok(shards * 32 * 2 ** 30 >= redisMemory);
    assert.ok((shards - 1) * 32 * 2 ** 30 < redisMemory);
  });

  it('fills each part with the accounts that it names', () => {
    const peak = (accounts: number) => capacityOf(accounts, costs, profile).peak;
    const part = (start: string) => partsOf(costs, profile).find(({ name }) => name.startsWith(start));
    const redis = part('Redis, thread');
    assert.ok(redis);
    assert.ok(Math.abs(peak(redis.accounts) / redis.carries - 1) < 1e-9);
  });

  it('predicts a latency of at least the processor time and the network', () => {
    const capacity = capacityOf(1e7, costs, profile);
    const latency = latencyOf(capacity, costs, profile);
    // A median of sums of 40 µs and 500 µs.
    const least = 540e-6 - 1e-9;
    assert.ok(latency && latency.median >= least && latency.median < 2 * least, `${latency?.median}`);
    assert.ok(latency.p99 >= latency.median);
  });

  it('extrapolates in a straight line, and finds where it reaches a limit', () => {
    const line = lineThrough([100, 10], [200, 15]);
    assert.equal(line.at(400), 25);
    assert.equal(line.until(25), 400);
  });
});
