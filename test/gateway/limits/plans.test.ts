import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPlans } from '../../../build/release/plans.ts';
import { defaultPlan, parsePlans } from '../../../gateway/config-values.ts';

describe('The table of plans', () => {
  it('has the free tier: 2 requests per second, 1,000 per month', () => {
    assert.deepEqual(defaultPlans, { free: { perSecond: 2, perMonth: 1000 } });
  });

  it('is replaced by a file', () => {
    const table = { free: { perSecond: 1, perMonth: 10 }, school: { perSecond: 20, perMonth: 100_000 } };
    assert.deepEqual(parsePlans(JSON.stringify(table)), table);
  });

  const wrong: readonly (readonly [string, RegExp])[] = [
    ['{', /JSON/],
    ['[]', /object of plans/],
    ['{}', /object of plans/],
    ['null', /object of plans/],
    ['2', /object of plans/],
    ['"free"', /object of plans/],
    ['{"free": null}', /"free" needs perSecond and perMonth/],
    ['{"free": []}', /"free" needs perSecond and perMonth/],
    ['{"free": 2}', /"free" needs perSecond and perMonth/],
    ['{"free": {"perSecond": 2}}', /whole numbers from 1/],
    ['{"free": {"perMonth": 2}}', /whole numbers from 1/],
    ['{"free": {"perSecond": 0, "perMonth": 1}}', /whole numbers from 1/],
    ['{"free": {"perSecond": 1, "perMonth": 0}}', /whole numbers from 1/],
    ['{"free": {"perSecond": 1, "perMonth": -1}}', /whole numbers from 1/],
    ['{"free": {"perSecond": "2", "perMonth": 1}}', /whole numbers from 1/],
    ['{"free": {"perSecond": 1, "perMonth": 1e300}}', /whole numbers from 1/],
    ['{"free": {"perSecond": 1, "perMonth": 1}, "paid": 2}', /"paid" needs perSecond and perMonth/],
    ['{"free": {"perSecond": 1.5, "perMonth": 1}}', /whole numbers from 1/],
    ['{"free": {"perSecond": 1, "perMonth": 1, "perDay": 1}}', /no property "perDay"/],
  ];
  for (const [text, message] of wrong) {
    it(`is refused as ${text}`, () => assert.throws(() => parsePlans(text), message));
  }

  it('gives a new account the free plan, or its first one', () => {
    assert.equal(defaultPlan(defaultPlans), 'free');
    assert.equal(defaultPlan({ basic: { perSecond: 1, perMonth: 1 }, ...defaultPlans }), 'free');
    assert.equal(defaultPlan({ basic: { perSecond: 1, perMonth: 1 } }), 'basic');
  });
});
