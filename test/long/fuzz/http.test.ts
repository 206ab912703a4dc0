import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { plans } from './http/keys.ts';
import { fuzzHttp } from './http/run.ts';
import { startSubject } from './http/subject.ts';

/** A short run; `npm run test:long -- fuzz` has a million. */
const requests = 4_000;

describe('Whatever bytes a client sends', async () => {
  const subject = await startSubject();
  after(() => subject.close());

  it('the gateway answers as the specification says, and goes on', async () => {
    const { statuses, before, after } = await fuzzHttp(subject, { seed: 'short', requests, late: 0 });
    assert.deepEqual(subject.gateway.stderrLines, []);
    // The grammar reaches every answer of the specification that a client can bring about.
    const seldom = [200, 302, 304, 400, 401, 403, 404, 405, 429].filter((status) => !statuses.get(status));
    assert.deepEqual(seldom, []);
    assert.ok(
      after.descriptors <= before.descriptors + 2,
      `${before.descriptors}, then ${after.descriptors}`,
    );
    assert.ok(plans.counted.perMonth < requests);
  });
});
