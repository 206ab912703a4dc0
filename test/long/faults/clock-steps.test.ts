/** Steps of the gateway's wall clock, forward and back, under load. Those of the Redis clock are tested in test/long/redis/redis-limits.test.ts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MonitoredGateway } from '../../gateway/monitored-gateway.ts';
import { waitUntil } from '../../wait-until.ts';
import { plans } from '../accounts.ts';
import { accepted, Load, maxPerSecond } from '../replicas/load.ts';
import { createGatewayFixture, get, isLong, paths, remainingQuota, timeout } from './gateway-fixture.ts';

const [second, hour, day] = [1_000, 3_600_000, 86_400_000];

/** Milliseconds that the clock is ahead, step by step. */
const steps = isLong
  ? [second, -second, hour, -hour, day, -day, 40 * day, 0, -40 * day, 400 * day, -400 * day, 100, -100, 0]
  : [hour, 40 * day, -40 * day, 0];

describe('A gateway whose wall clock is set', { timeout }, () => {
  it('forward and back keeps the rate limit in every second and fails no request', async (t) => {
    const fixture = await createGatewayFixture(t);
    const [free, roomy] = [
      await fixture.accounts.create('free', 'free'),
      await fixture.accounts.create('roomy', 'roomy'),
    ];
    const gateway = await fixture.start();
    const loads = [new Load(gateway.origin, free.key, 2), new Load(gateway.origin, roomy.key, 2)] as const;
    for (const ahead of steps) {
      await gateway.setClockAhead(ahead);
      await loads[0].waitForAccepted(2);
      await loads[1].waitForRequests(50);
    }
    const requests = [await loads[0].end(), await loads[1].end()] as const;
    assert.deepEqual(new Set(requests[0].map(({ status }) => status)), new Set([200, 429]));
    assert.deepEqual(new Set(requests[1].map(({ status }) => status)), new Set([200]));
    const most = maxPerSecond(requests[0]);
    assert.ok(most <= plans.free.perSecond, `${most} in a second`);
    for (const { remaining = Number.NaN } of requests[0])
      assert.ok(remaining >= 0 && remaining <= plans.free.perMonth, `${remaining}`);
    assert.equal(await gateway.stop(), 0);
    for (const [index, { id }] of [free, roomy].entries()) {
      const months = [...(await fixture.accounts.counted(id)).values()];
      const counted = months.reduce((sum, used) => sum + used, 0);
      assert.equal(counted, accepted(requests[index] ?? []).length);
    }
    assert.deepEqual(gateway.stderrLines, []);
    t.diagnostic(`${steps.length} steps, ${requests.flat().length} requests, at most ${most} in any second`);
  });

  it('to another month and back grants the quota of each month once', async (t) => {
    const fixture = await createGatewayFixture(t);
    const { id, key } = await fixture.accounts.create('exact', 'exact');
    const gateway = await fixture.start();
    const { perMonth } = plans.exact;
    const months = [Date.UTC(2031, 5, 15), Date.UTC(2031, 6, 15), Date.UTC(2031, 4, 15)];
    for (const month of months) {
      await gateway.setClockAhead(month - Date.now());
      assert.deepEqual(await spend(gateway, key, perMonth), { accepted: perMonth, least: 0 });
    }
    for (const month of [...months, ...months]) {
      await gateway.setClockAhead(month - Date.now());
      assert.deepEqual(await spend(gateway, key, 5), { accepted: 0, least: 0 });
    }
    // By now counts are written and idle accounts are evicted; the counts of the months remain.
    await waitUntil(async () => [...(await fixture.accounts.counted(id)).values()].length === months.length);
    for (const month of months) {
      await gateway.setClockAhead(month - Date.now());
      assert.deepEqual(await spend(gateway, key, 5), { accepted: 0, least: 0 });
    }
    assert.equal(await gateway.stop(), 0);
    assert.deepEqual(Object.fromEntries(await fixture.accounts.counted(id)), {
      '2031-05': perMonth,
      '2031-06': perMonth,
      '2031-07': perMonth,
    });
  });
});

/** Sends `count` requests and five more. Returns how many are accepted and the lowest remaining quota. */
async function spend(
  { origin }: MonitoredGateway,
  key: string,
  count: number,
): Promise<{ readonly accepted: number; readonly least: number }> {
  const responses = await Promise.all(Array.from({ length: count + 5 }, () => get(origin, paths.paper, key)));
  assert.ok(responses.every(({ status }) => status === 200 || status === 429));
  return {
    accepted: responses.filter(({ status }) => status === 200).length,
    least: Math.min(...responses.map(remainingQuota)),
  };
}
