import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { runGateway } from '../../running-gateway.ts';
import { behindProxy, setUps } from '../set-ups.ts';
import { newUser, type ServiceResponse, signedIn } from './visitor.ts';

type Headers = Readonly<Record<string, string>>;

const foreign: readonly Headers[] = [
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: 'no origin' },
  { Origin: 'http://127.0.0.1:1' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
];

function isRejected({ status, body }: ServiceResponse): boolean {
  return status === 403 && body.error === 'Cross-origin requests are not allowed.';
}

for (const { setUp, skip } of setUps) {
  describe(`Cross-origin requests, ${setUp}`, { skip }, async () => {
    if (skip) return;
    const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
    const running = await runGateway({ ...behindProxy, ...google }, setUp);
    after(running.close);
    const { origin, host } = new URL(running.authUrl);
    const user = newUser();
    const ada = await signedIn(running.authUrl, user);
    const { id } = (await ada.post('keys', { name: 'laptop', expiresIn: null })).body;

    const changes: readonly (readonly [string, string, unknown])[] = [
      ['POST', 'sign-up/email', { name: 'Bob', ...newUser() }],
      ['POST', 'sign-in/email', user],
      ['POST', 'sign-in/social', { provider: 'google' }],
      ['POST', 'sign-out', {}],
      ['POST', 'request-password-reset', { email: user.email }],
      ['POST', 'reset-password', { token: 'a', newPassword: 'a phrase of words' }],
      ['POST', 'keys', { name: 'theirs', expiresIn: null }],
      ['POST', `keys/${id}/rotate`, { overlap: 0 }],
      ['DELETE', `keys/${id}`, {}],
      ['DELETE', `sessions/${'a'.repeat(32)}`, {}],
    ];
    for (const [method, path, body] of changes) {
      it(`are rejected: ${method} ${path.replace(id, 'ID')}`, async () => {
        for (const headers of foreign) {
          const json = { 'Content-Type': 'application/json', ...headers };
          const response = await ada.request(method, path, JSON.stringify(body), json);
          assert.ok(isRejected(response), `${response.status} ${JSON.stringify(headers)}`);
          assert.deepEqual(response.headers.getSetCookie(), []);
          assert.equal(response.headers.get('access-control-allow-origin'), null);
        }
      });
    }

    it('change nothing if they are rejected', async () => {
      const { keys } = (await ada.get('keys')).body;
      assert.deepEqual(
        keys.map(({ name, state }: { name: string; state: string }) => [name, state]),
        [['laptop', 'active']],
      );
    });

    it('are not allowed by a preflight', async () => {
      const { status, headers } = await ada.request('OPTIONS', 'keys', undefined, {
        Origin: 'https://evil.example',
        'Access-Control-Request-Method': 'POST',
      });
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [403, null]);
    });

    it('may follow a link, but cannot read the response', async () => {
      const response = await ada.get('settings', {
        Origin: 'https://evil.example',
        'Sec-Fetch-Site': 'cross-site',
      });
      assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [200, null]);
    });

    it('do not include requests of the service’s own pages or of programs', async () => {
      const own: readonly Headers[] = [
        {},
        { Origin: origin },
        { Origin: `https://${host}` },
        { Origin: origin, 'Sec-Fetch-Site': 'same-origin' },
        { 'Sec-Fetch-Site': 'none' },
        // A proxy has changed the host; the browser says that the request is same-origin.
        { Origin: 'https://api.example.org', 'Sec-Fetch-Site': 'same-origin' },
      ];
      for (const headers of own) {
        assert.equal((await ada.post('keys', { name: 'own', expiresIn: null }, headers)).status, 201);
      }
    });

    it('include all origins except PUBLIC_URL’s if it is set', async () => {
      const settings = { ...behindProxy, PUBLIC_URL: 'http://api.example.org' };
      const published = await runGateway(settings, setUp);
      const bob = await signedIn(published.authUrl);
      const statuses: number[] = [];
      for (const headers of [
        {},
        { Origin: 'http://api.example.org' },
        { Origin: 'http://api.example.org', 'Sec-Fetch-Site': 'same-origin' },
        { Origin: 'https://api.example.org' },
        { Origin: new URL(published.authUrl).origin },
        { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
        { Origin: 'http://api.example.org', 'Sec-Fetch-Site': 'cross-site' },
      ]) {
        statuses.push((await bob.post('keys', { name: 'own', expiresIn: null }, headers)).status);
      }
      await published.close();
      assert.deepEqual(statuses, [201, 201, 201, 403, 403, 403, 403]);
    });
  });
}
