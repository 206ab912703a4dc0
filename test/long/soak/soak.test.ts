import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { soak } from './run.ts';

/** A short run; `npm run test:long -- soak` sends a million. */
const requests = 6_000;

describe('A gateway under load, while releases change, keys are revoked and a month ends', () => {
  it('sends each response from one release, rejects revoked keys, and counts exactly', async () => {
    const { samples, statuses } = await soak({
      requests,
      swaps: 2,
      months: 1,
      keys: 20,
      samples: 4,
      onSample: () => undefined,
    });
    assert.equal(samples.length, 4);
    assert.deepEqual(
      [200, 304, 401, 404].filter((status) => !statuses.get(status)),
      [],
    );
  });
});
