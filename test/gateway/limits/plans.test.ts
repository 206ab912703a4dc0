import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPlan, defaultPlans } from '../../../build/release/plans.ts';
import { parsePlans } from '../../../gateway/config-values.ts';

describe('Plans', () => {
  it('have the free plan by default: 2 requests per second, 1,000 per month', () => {
    assert.deepEqual(defaultPlans, { free: { perSecond: 2, perMonth: 1000 } });
  });

  it('are parsed from JSON', () => {
    const table = {
      free: { perSecond: 1, perMonth: 10 },
      school: { perSecond: 20, perMonth: 100_000 },
    };
    assert.deepEqual(parsePlans(JSON.stringify(table)), table);
  });

  const invalid: readonly (readonly [string, RegExp])[] = [
    ['{', /JSON/],
    ['{}', /object with plans/],
    ['{"free": null}', /"free" must have perSecond and perMonth/],
    ['{"free": {"perSecond": 2}}', /whole numbers from 1/],
    ['{"free": {"perSecond": 0, "perMonth": 1}}', /whole numbers from 1/],
    ['{"free": {"perSecond": "2", "perMonth": 1}}', /whole numbers from 1/],
    ['{"free": {"perSecond": 1.5, "perMonth": 1}}', /whole numbers from 1/],
    ['{"free": {"perSecond": 1, "perMonth": 1, "perDay": 1}}', /Unknown property "perDay"/],
  ];
  for (const [text, message] of invalid) {
    it(`are rejected if they are ${text}`, () => assert.throws(() => parsePlans(text), message));
  }

  it('have a default for new accounts: free, or else the first one', () => {
    assert.equal(defaultPlan(defaultPlans), 'free');
    assert.equal(defaultPlan({ basic: { perSecond: 1, perMonth: 1 }, ...defaultPlans }), 'free');
    assert.equal(defaultPlan({ basic: { perSecond: 1, perMonth: 1 } }), 'basic');
  });
});
