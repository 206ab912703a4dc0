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

  it('sends a response of the specification to any bytes, closes every connection in time, and keeps running', async () => {
    const { statuses, open } = await fuzzHttp(underTest, { seed: 'short', requests });
    assert.deepEqual(underTest.gateway.stderrLines, []);
    // The grammar produces every status of the specification that a client can cause.
    const missing = [200, 302, 304, 400, 401, 403, 404, 405, 408, 429, 505].filter(
      (status) => !statuses.get(status),
    );
    assert.deepEqual(missing, []);
    assert.ok(open > 0);
    assert.ok(plans.counted.perMonth < requests);
  });
});
