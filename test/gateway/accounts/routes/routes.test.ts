import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rawGet } from '../../raw-request.ts';
import { behindProxy, sharedGateway, withProviders } from '../set-ups.ts';
import { signedIn, Visitor } from '../users/visitor.ts';

const key = 'keys/key_00000000-0000-0000-0000-000000000000';
const session = `sessions/${'a'.repeat(32)}`;

/** Every route, and its methods. */
const routes = {
  settings: 'GET',
  account: 'GET, POST, DELETE',
  keys: 'GET, POST',
  [key]: 'DELETE',
  sessions: 'GET',
  [session]: 'DELETE',
  [`${key}/rotate`]: 'POST',
  'sign-in/email': 'POST',
  'sign-in/social': 'POST',
  'sign-up/email': 'POST',
  'sign-out': 'POST',
  'request-password-reset': 'POST',
  'reset-password': 'POST',
  'change-password': 'POST',
  'verify-email': 'GET',
  'callback/google': 'GET',
};

/** Endpoints of better-auth 1.7 that the dashboard does not use. */
const unusedEndpoints =
  'get-session list-accounts token update-user change-email delete-user revoke-sessions link-social set-password'.split(
    ' ',
  );

describe('The paths under /auth/', async () => {
  const running = await sharedGateway(withProviders);
  const ada = await signedIn(running.authUrl);

  it('accept only the methods in Allow', async () => {
    for (const [path, allowed] of Object.entries(routes)) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (allowed.split(', ').includes(method)) continue;
        const { status, headers, body } = await ada.request(method, path);
        assert.deepEqual(
          [method, path, status, headers.get('allow'), body],
          [method, path, 405, allowed, { error: 'Method not allowed' }],
        );
      }
    }
  });

  it('do not include better-auth’s other endpoints', async () => {
    for (const path of unusedEndpoints) {
      for (const response of [
        await ada.get(path),
        await ada.post(path, { token: 'a', newEmail: 'eve@example.org' }),
      ]) {
        assert.deepEqual(
          [path, response.status, response.body],
          [path, 404, { error: 'File not found' }],
        );
      }
    }
  });

  it('respond with 404 in upper case, with more segments or slashes, encoded or relative', async () => {
    for (const path of ['SETTINGS', 'sign-out/', '/settings', '', `${session}/more`]) {
      const { status, body } = await ada.get(path);
      assert.deepEqual([path, status, body], [path, 404, { error: 'File not found' }]);
    }
    for (const target of [
      ...['/auth/callback/../ok', '/auth/./ok', '/auth/callback/%2e%2e/ok'],
      ...['/auth/callback/..%5cok', 'http://evil.example/auth/ok'],
    ])
      assert.equal((await rawGet(running.authUrl, target)).status, 404, target);
    assert.equal((await ada.get('account')).status, 200);
  });
});

type Headers = Readonly<Record<string, string>>;

describe('Cross-origin requests', async () => {
  const running = await sharedGateway(withProviders);
  const { origin, host } = new URL(running.authUrl);
  const evil = { Origin: 'https://evil.example' };
  const foreign: readonly Headers[] = [
    evil,
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:1' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: origin },
  ];
  const own: readonly Headers[] = [
    {},
    { Origin: origin },
    { Origin: `https://${host}` },
    { Origin: origin, 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none' },
    // A proxy has changed the host; the browser says that the request is same-origin.
    { Origin: 'https://api.example.org', 'Sec-Fetch-Site': 'same-origin' },
  ];

  it('are rejected, whichever way they are recognized', async () => {
    const ada = await signedIn(running.authUrl);
    for (const headers of foreign) {
      const response = await ada.post('sign-out', {}, headers);
      const error = 'Cross-origin requests are not allowed.';
      assert.deepEqual([response.status, response.body], [403, { error }], JSON.stringify(headers));
      assert.deepEqual(response.headers.getSetCookie(), []);
      assert.equal(response.headers.get('access-control-allow-origin'), null);
    }
    assert.equal((await ada.get('account')).status, 200);
  });

  it('are rejected by every route that changes something, and by preflights', async () => {
    const anyone = new Visitor(running.authUrl);
    for (const [path, methods] of Object.entries(routes)) {
      for (const method of ['POST', 'DELETE', 'OPTIONS']) {
        const { status } = await anyone.request(method, path, undefined, evil);
        assert.equal(status, 403, `${method} ${path} (${methods})`);
      }
    }
  });

  it('do not include requests of the service’s own pages or of programs', async () => {
    const ada = await signedIn(running.authUrl);
    for (const headers of own) {
      assert.equal((await ada.post('keys', { name: 'own', expiresIn: null }, headers)).status, 201);
    }
  });

  it('include all origins except PUBLIC_URL’s if it is set', async () => {
    const published = await sharedGateway({ ...behindProxy, PUBLIC_URL: 'http://api.example.org' });
    const anyone = new Visitor(published.authUrl);
    const Origin = 'http://api.example.org';
    const rows: readonly (readonly [number, Headers])[] = [
      [200, {}],
      [200, { Origin }],
      [200, { Origin, 'Sec-Fetch-Site': 'same-origin' }],
      [403, { Origin: 'https://api.example.org' }],
      [403, { Origin: new URL(published.authUrl).origin }],
      [403, { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' }],
      [403, { Origin, 'Sec-Fetch-Site': 'cross-site' }],
    ];
    for (const [status, headers] of rows)
      assert.equal((await anyone.post('sign-out', {}, headers)).status, status);
  });
});
