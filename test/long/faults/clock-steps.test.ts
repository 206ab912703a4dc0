/** The wall clock set forward and back while requests are under way. Redis's own is in test/gateway/limits/. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WatchedGateway } from '../../gateway/watched-gateway.ts';
import { accepted, Load, mostInASecond } from '../replicas/load.ts';
import { plans } from '../soak/accounts.ts';
import { ask, leftOf } from './asked.ts';
import { makeFaultPlace } from './fault-place.ts';
import { isLong } from './rounds.ts';
import { paths } from './small-release.ts';
import { until } from './until.ts';

const timeout = 300_000;
const [second, hour, day] = [1_000, 3_600_000, 86_400_000];

/** How far ahead the clock is, one after the other. */
const steps = isLong
  ? [second, -second, hour, -hour, day, -day, 40 * day, 0, -40 * day, 400 * day, -400 * day, 100, -100, 0]
  : [hour, 40 * day, -40 * day, 0];

describe('A wall clock that is set', () => {
  it('forward and back lets no second have more than the rate, and fails no request', {
    timeout,
  }, async (t) => {
    const place = await makeFaultPlace(t);
    const [free, roomy] = [
      await place.accounts.create('free', 'free'),
      await place.accounts.create('roomy', 'roomy'),
    ];
    const gateway = await place.start();
    const loads = [new Load(gateway.origin, free.key, 2), new Load(gateway.origin, roomy.key, 2)] as const;
    for (const ahead of steps) {
      await gateway.setClockAhead(ahead);
      await loads[0].growAccepted(2);
      await loads[1].grow(50);
    }
    const made = [await loads[0].end(), await loads[1].end()] as const;
    assert.deepEqual(new Set(made[0].map(({ status }) => status)), new Set([200, 429]));
    assert.deepEqual(new Set(made[1].map(({ status }) => status)), new Set([200]));
    const most = mostInASecond(made[0]);
    assert.ok(most <= plans.free.perSecond, `${most} in a second`);
    for (const { left = Number.NaN } of made[0])
      assert.ok(left >= 0 && left <= plans.free.perMonth, `${left}`);
    assert.equal(await gateway.stop(), 0);
    for (const [index, { id }] of [free, roomy].entries()) {
      const months = [...(await place.accounts.counted(id)).values()];
      const counted = months.reduce((sum, used) => sum + used, 0);
      assert.equal(counted, accepted(made[index] ?? []).length);
    }
    assert.deepEqual(gateway.complaints, []);
    t.diagnostic(`${steps.length} steps, ${made.flat().length} requests, at most ${most} in any second`);
  });

  it('into another month and back gives each month once', { timeout }, async (t) => {
    const place = await makeFaultPlace(t);
    const { id, key } = await place.accounts.create('exact', 'exact');
    const gateway = await place.start();
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
    // Counts are written meanwhile, and idle accounts forgotten: the months are still known.
    await until(async () => [...(await place.accounts.counted(id)).values()].length === months.length);
    for (const month of months) {
      await gateway.setClockAhead(month - Date.now());
      assert.deepEqual(await spend(gateway, key, 5), { accepted: 0, least: 0 });
    }
    assert.equal(await gateway.stop(), 0);
    assert.deepEqual(Object.fromEntries(await place.accounts.counted(id)), {
      '2031-05': perMonth,
      '2031-06': perMonth,
      '2031-07': perMonth,
    });
  });
});

/** So many requests and some more: how many are accepted, and the least that was left. */
async function spend(
  { origin }: WatchedGateway,
  key: string,
  count: number,
): Promise<{ readonly accepted: number; readonly least: number }> {
  const answers = await Promise.all(Array.from({ length: count + 5 }, () => ask(origin, paths.paper, key)));
  assert.ok(answers.every(({ status }) => status === 200 || status === 429));
  return {
    accepted: answers.filter(({ status }) => status === 200).length,
    least: Math.min(...answers.map(leftOf)),
  };
}
