/** Steps of the gateway's wall clock, forward and back, under load. Those of the Redis clock are tested in test/long/redis/redis-limits.test.ts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plans } from '../accounts.ts';
import { accepted, Load, maxPerSecond } from '../replicas/load.ts';
import { createGatewayFixture, isLong, timeout } from './gateway-fixture.ts';

const [hour, day] = [3_600_000, 86_400_000];

/** Milliseconds that the clock is ahead, step by step. */
const steps = isLong
  ? [100, 1000, hour, day, 40 * day, 400 * day].flatMap((step) => [step, -step, 0])
  : [hour, 40 * day, -40 * day, 0];

describe('A gateway whose wall clock is set', { timeout }, () => {
  it('forward and back keeps the rate limit in every second and fails no request', async (t) => {
    const fixture = await createGatewayFixture(t);
    const [free, roomy] = [
      await fixture.accounts.create('free', 'free'),
      await fixture.accounts.create('roomy', 'roomy'),
    ];
    const gateway = await fixture.start();
    const loads = [
      new Load(gateway.origin, free.key, 2),
      new Load(gateway.origin, roomy.key, 2),
    ] as const;
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
    assert.deepEqual(gateway.logged(), []);
    t.diagnostic(
      `${steps.length} steps, ${requests.flat().length} requests, at most ${most} in any second`,
    );
  });
});
