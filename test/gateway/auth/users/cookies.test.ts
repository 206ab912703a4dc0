import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type RunningGateway, runGateway } from '../../running-gateway.ts';
import { behindProxy, setUps } from '../set-ups.ts';
import { type NewUser, newUser, Visitor } from './visitor.ts';

const https = { 'X-Forwarded-Proto': 'https' };

for (const { setUp, skip } of setUps) {
  describe(`The session cookie, ${setUp}`, { skip }, async () => {
    if (skip) return;
    const opened: RunningGateway[] = [];
    after(() => Promise.all(opened.map((running) => running.close())));

    async function run(
      settings: Readonly<Record<string, string>>,
    ): Promise<{ authUrl: string; user: NewUser }> {
      const running = await runGateway(settings, setUp);
      opened.push(running);
      const user = newUser();
      await new Visitor(running.authUrl).signUp(user);
      return { authUrl: running.authUrl, user };
    }

    const proxied = await run(behindProxy);

    /** The cookie that a sign-in sets, without its value. */
    async function cookieOf(
      { authUrl, user }: { authUrl: string; user: NewUser },
      headers: Readonly<Record<string, string>> = {},
    ): Promise<string[]> {
      const { headers: responseHeaders } = await new Visitor(authUrl, headers).signIn(user);
      const cookies = responseHeaders.getSetCookie();
      assert.equal(cookies.length, 1);
      return (cookies[0] ?? '')
        .replace(/=[^;]*/, '')
        .split('; ')
        .sort();
    }

    const plain = ['HttpOnly', 'Max-Age=604800', 'Path=/auth', 'SameSite=Lax', 'pastpaper.session_token'];
    const secure = [
      'HttpOnly',
      'Max-Age=604800',
      'Path=/auth',
      'SameSite=Lax',
      'Secure',
      '__Secure-pastpaper.session_token',
    ];

    it('is HttpOnly, SameSite=Lax and limited to /auth', async () => {
      assert.deepEqual(await cookieOf(proxied), plain);
    });

    it('is Secure if a trusted proxy reports HTTPS', async () => {
      assert.deepEqual(await cookieOf(proxied, https), secure);
      const untrusting = await run({});
      assert.deepEqual(await cookieOf(untrusting, https), plain);
    });

    it('is Secure if PUBLIC_URL is https, and only then', async () => {
      assert.deepEqual(await cookieOf(await run({ PUBLIC_URL: 'https://api.example.org' })), secure);
      const overHttp = await run({ ...behindProxy, PUBLIC_URL: 'http://api.example.org' });
      assert.deepEqual(await cookieOf(overHttp, https), plain);
    });

    it('is only accepted over the scheme that it was set over', async () => {
      const [overHttp, overHttps] = [new Visitor(proxied.authUrl), new Visitor(proxied.authUrl, https)];
      await overHttp.signIn(proxied.user);
      await overHttps.signIn(proxied.user);
      for (const visitor of [overHttp, overHttps]) assert.equal((await visitor.get('account')).status, 200);
      assert.equal((await overHttp.get('account', https)).status, 401);
      assert.equal((await overHttps.get('account', { 'X-Forwarded-Proto': 'http' })).status, 401);
    });

    it('is rejected when it was changed', async () => {
      const visitor = new Visitor(proxied.authUrl);
      await visitor.signIn(proxied.user);
      const [[name = '', value = ''] = []] = visitor.cookies;
      const [token = '', signature = ''] = decodeURIComponent(value).split('.');
      const forged = [
        token,
        `${token}.`,
        `${token}.${'A'.repeat(43)}=`,
        `${token.startsWith('x') ? 'y' : 'x'}${token.slice(1)}.${signature}`,
        '',
        '%',
        '%00',
      ];
      for (const other of forged) {
        visitor.cookies.set(name, other);
        assert.equal((await visitor.get('account')).status, 401, other);
      }
      visitor.cookies.set(name, value);
      assert.equal((await visitor.get('account')).status, 200);
    });
  });
}
