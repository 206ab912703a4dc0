import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rawGet } from '../raw-request.ts';
import { introspectionAt, runGateway } from '../running-gateway.ts';
import { startAuthenticationServer } from './authentication-service.ts';

const service = await startAuthenticationServer();
const embedded = await runGateway({}, 'embedded');
const apart = await runGateway(introspectionAt(service.url));
after(async () => {
  await embedded.close();
  await apart.close();
  await service.close();
});

/** What only the authentication service answers. */
const path = '/auth/settings';

describe('What is under /auth/', () => {
  it('is answered by the authentication service, where it is in this process', async () => {
    const { status, body } = await rawGet(embedded.baseUrl, path);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(JSON.parse(body)), ['providers', 'mail', 'apiUrl', 'password']);
  });

  it('is nothing where that service is elsewhere', async () => {
    assert.equal((await rawGet(apart.baseUrl, path)).status, 404);
  });

  it('is that in these letters alone, and at the beginning', async () => {
    for (const other of ['/AUTH/settings', '/authors/settings', '/settings/auth', '/neet/auth/settings']) {
      const { status } = await rawGet(embedded.baseUrl, other);
      assert.ok(status === 400 || status === 404, `${other}: ${status}`);
      assert.equal((await rawGet(apart.baseUrl, other)).status, status, other);
    }
  });
});
