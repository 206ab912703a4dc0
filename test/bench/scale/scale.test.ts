import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Costs, capacityOf, checksPerRequest, type Profile, partsOf } from './model.ts';

function assertNear(actual: number | undefined, expected: number, share: number) {
  const isNear = actual !== undefined && Math.abs(actual / expected - 1) <= share;
  assert.ok(isNear, `${actual} is not ${expected} within ${share * 100} %`);
}

describe('The capacity model', () => {
  const request = { embedded: 20, shared: 30, redis: 10, bytes: 500 };
  const free = { ...request, redis: 0 };
  const costs: Costs = {
    requests: {
      ...{
        metadata: free,
        metadata304: free,
        paper: { ...request, bytes: 2500 },
        paper304: request,
      },
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
    mix: {
      ...{ metadata: 0.5, metadata304: 0.5, paper: 0.6, paper304: 0.3, diagram: 0.1 },
      '401': 0.02,
      '429': 0.05,
    },
    session: { requests: 20, seconds: 60 },
    signInsPerMonth: 2,
    cdn: 0.9,
  };

  it('embeds everything until one process is half busy, and then leaves every part half of its time', () => {
    const all = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8].map((accounts) =>
      capacityOf(accounts, costs, profile),
    );
    assert.deepEqual(
      all.map(({ isEmbedded }) => isEmbedded),
      [true, true, true, true, false, false],
    );
    for (const { gateways, gatewayUse, shardUse } of all) {
      assert.ok(gatewayUse <= 0.5 && shardUse <= 0.5);
      // One gateway less would be too few.
      if (gateways > 2) assert.ok((gatewayUse * gateways) / (gateways - 1) > 0.45);
    }
  });

  it('checks a key once in the time of a cache entry at one gateway, and each request at very many', () => {
    assert.equal(checksPerRequest(profile, 1), 6 / 20);
    assertNear(checksPerRequest(profile, 1e6), 1, 0.001);
    assert.equal(checksPerRequest({ session: { requests: 1, seconds: 60 } }, 1), 1);
  });

  it('adds shards for memory as well as for processor time', () => {
    const { shards, redisMemory } = capacityOf(1e7, { ...costs, redisBytes: 14_000 }, profile);
    assert.equal(shards, Math.ceil(redisMemory / (32 * 2 ** 30)));
  });

  it('fills each part with the accounts that it names', () => {
    for (const name of ['a process with everything embedded', 'Redis, thread']) {
      const part = partsOf(costs, profile).find((each) => each.name === name);
      assertNear(capacityOf(part?.accounts ?? 0, costs, profile).peak, part?.carries ?? 0, 1e-9);
    }
  });
});
