import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rateLimitFields } from '../../../gateway/access/require-key.ts';
import type { Decision } from '../../../gateway/limits/decision.ts';

const month = 30 * 86_400;

function decision(accepted: boolean, rateLeft: number, quotaLeft: number): Decision {
  return {
    accepted,
    rate: { limit: 2, remaining: rateLeft, reset: 1, span: 1 },
    quota: { limit: 1000, remaining: quotaLeft, reset: 86_400, span: month },
    wait: quotaLeft === 0 ? 86_400 : rateLeft === 0 ? 1 : 0,
  };
}

describe('rateLimitFields', () => {
  it('returns both limits in the format of draft 8', () => {
    assert.deepEqual(rateLimitFields(decision(true, 1, 999)), [
      'RateLimit-Policy',
      `"rate";q=2;w=1, "quota";q=1000;w=${month}`,
      'RateLimit',
      '"rate";r=1;t=1, "quota";r=999;t=86400',
    ]);
  });

  it('returns the reset of the rate limit first, and in Retry-After, when the rate is exceeded', () => {
    const [, , , state, ...more] = rateLimitFields(decision(false, 0, 998));
    assert.match(state ?? '', /^"rate";r=0;t=1,/);
    assert.deepEqual(more, ['Retry-After', '1']);
  });

  it('returns the reset of the quota first, and in Retry-After, when the quota is exceeded', () => {
    for (const rateLeft of [0, 2]) {
      const [, policy, , state, ...more] = rateLimitFields(decision(false, rateLeft, 0));
      assert.match(state ?? '', /^"quota";r=0;t=86400,/);
      assert.match(policy ?? '', /^"quota"/);
      assert.deepEqual(more, ['Retry-After', '86400']);
    }
  });
});
