import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rawGet } from '../../raw-request.ts';
import { runGateway } from '../../running-gateway.ts';
import { behindProxy, setUps } from '../set-ups.ts';
import { signedIn, Visitor } from '../users/visitor.ts';

const settings = { ...behindProxy, GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
const key = 'keys/key_00000000-0000-0000-0000-000000000000';
const session = `sessions/${'a'.repeat(32)}`;

/** Every route, and its methods. */
const routes = {
  settings: 'GET',
  account: 'GET, DELETE',
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
const unusedEndpoints = [
  'get-session',
  'list-sessions',
  'list-accounts',
  'account-info',
  'ok',
  'error',
  'token',
  'update-user',
  'update-session',
  'change-email',
  'set-password',
  'verify-password',
  'delete-user',
  'delete-user/callback?token=a',
  'revoke-session',
  'revoke-sessions',
  'revoke-other-sessions',
  'link-social',
  'unlink-account',
  'refresh-token',
  'get-access-token',
  'send-verification-email',
  'reset-password/a-token?callbackURL=/',
  'forget-password',
  'sign-in/username',
  'callback/github',
  'callback/',
  '.well-known/openid-configuration',
];

for (const { setUp, skip } of setUps) {
  describe(`The paths under /auth/, ${setUp}`, { skip }, async () => {
    if (skip) return;
    const running = await runGateway(settings, setUp);
    after(running.close);
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

    it('do not invalidate a mailed link on HEAD', async () => {
      for (const path of ['verify-email?token=a', 'callback/google?code=a&state=b']) {
        assert.equal((await ada.request('HEAD', path)).status, 405);
      }
    });

    it('do not include better-auth’s other endpoints', async () => {
      for (const path of unusedEndpoints) {
        for (const response of [
          await ada.get(path),
          await ada.post(path, { token: 'a', newEmail: 'eve@example.org' }),
        ]) {
          assert.deepEqual([path, response.status, response.body], [path, 404, { error: 'File not found' }]);
        }
      }
    });

    it('do not include them under encoded or relative paths', async () => {
      for (const path of [
        'callback/..\\ok',
        'callback/../ok',
        'callback/%2e%2e/ok',
        'callback/%2e%2e%2fok',
        'callback/..%5cok',
        './ok',
      ]) {
        const { status } = await rawGet(running.authUrl, `/auth/${path}`);
        assert.equal(status, 404, path);
      }
      const absolute = await rawGet(running.authUrl, 'http://evil.example/auth/ok');
      assert.equal(absolute.status, 404);
    });

    it('respond with 404 in upper case, with more segments, or with an additional slash', async () => {
      for (const path of [
        'SETTINGS',
        'settings/more',
        'account/me',
        'sign-in',
        'sign-out/',
        `${session}/more`,
        '/settings',
        '',
        'nothing',
        `${key}/other`,
        `${key}/rotate/more`,
      ]) {
        const { status, body } = await ada.get(path);
        assert.deepEqual([path, status, body], [path, 404, { error: 'File not found' }]);
      }
      assert.equal((await ada.post('SIGN-OUT')).status, 404);
      assert.equal((await ada.get('account')).status, 200);
    });

    it('include the settings of the sign-in page', async () => {
      const { status, body } = await new Visitor(running.authUrl).get('settings');
      const password = { min: 10, max: 128 };
      assert.deepEqual([status, body], [200, { providers: ['google'], mail: false, apiUrl: null, password }]);
      const full = await runGateway(
        { ...settings, SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'https://api.example.org' },
        setUp,
      );
      const response = await new Visitor(full.authUrl).get('settings');
      await full.close();
      assert.deepEqual(response.body, {
        providers: ['google'],
        mail: true,
        apiUrl: 'https://api.example.org',
        password,
      });
    });

    it('require a session where they concern an account', async () => {
      const anyone = new Visitor(running.authUrl);
      const responses = [
        await anyone.get('account'),
        await anyone.get('keys'),
        await anyone.post('keys', { name: 'laptop', expiresIn: null }),
        await anyone.post('keys', { name: 5 }),
        await anyone.post(`${key}/rotate`, { overlap: 0 }),
        await anyone.request('DELETE', key),
        await anyone.get('sessions'),
        await anyone.request('DELETE', session),
      ];
      for (const { status, body } of responses) {
        assert.deepEqual([status, body], [401, { error: 'You are not signed in.' }]);
      }
    });
  });
}
