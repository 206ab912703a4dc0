import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startGatewayUnderTest } from './http/gateway-under-test.ts';
import { fuzzHttp } from './http/http-fuzzer.ts';
import { plans } from './http/keys.ts';

/** A short run; `npm run test:long -- fuzz` sends a million. */
const requests = 4_000;

describe('The gateway', async () => {
  const underTest = await startGatewayUnderTest();
  after(() => underTest.close());

  it('sends a response of the specification to any bytes, and keeps running', async () => {
    const { statuses, before, after } = await fuzzHttp(underTest, { seed: 'short', requests, late: 0 });
    assert.deepEqual(underTest.gateway.stderrLines, []);
    // The grammar produces every status of the specification that a client can cause.
    const missing = [200, 302, 304, 400, 401, 403, 404, 405, 429].filter((status) => !statuses.get(status));
    assert.deepEqual(missing, []);
    assert.ok(
      after.descriptors <= before.descriptors + 2,
      `${before.descriptors}, then ${after.descriptors}`,
    );
    assert.ok(plans.counted.perMonth < requests);
  });
});
