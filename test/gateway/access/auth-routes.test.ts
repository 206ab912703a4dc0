import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rawGet } from '../raw-request.ts';
import { introspectionAt, runGateway } from '../running-gateway.ts';
import { startAuthenticationServer } from './authentication-service.ts';

const service = await startAuthenticationServer();
const embedded = await runGateway({}, 'embedded');
const separate = await runGateway(introspectionAt(service.url));
after(async () => {
  await embedded.close();
  await separate.close();
  await service.close();
});

/** A path that only the authentication service serves. */
const path = '/auth/settings';

describe('/auth/', () => {
  it('is served by the embedded authentication service', async () => {
    const { status, body } = await rawGet(embedded.baseUrl, path);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(JSON.parse(body)), ['providers', 'mail', 'apiUrl', 'password']);
  });

  it('is 404 on a gateway with a separate authentication service', async () => {
    assert.equal((await rawGet(separate.baseUrl, path)).status, 404);
  });

  it('matches only in lower case and at the start of the path', async () => {
    for (const other of ['/AUTH/settings', '/authors/settings', '/settings/auth', '/neet/auth/settings']) {
      const { status } = await rawGet(embedded.baseUrl, other);
      assert.ok(status === 400 || status === 404, `${other}: ${status}`);
      assert.equal((await rawGet(separate.baseUrl, other)).status, status, other);
    }
  });
});
