import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedGateway, withProviders } from '../set-ups.ts';
import { Visitor } from './visitor.ts';

const signInPages = {
  google: 'https://accounts.google.com/o/oauth2/v2/auth',
  github: 'https://github.com/login/oauth/authorize',
};

describe('Sign-in through a provider', async () => {
  const running = await sharedGateway(withProviders);
  const loggedBefore = running.logged.length;
  const startSignIn = (visitor: Visitor, provider: string, more: object = {}) =>
    visitor.post('sign-in/social', { provider, callbackURL: '/dashboard/', ...more });

  for (const [provider, signInPage] of Object.entries(signInPages)) {
    it(`redirects to ${provider}, and binds the state to the browser`, async () => {
      const visitor = new Visitor(running.authUrl);
      const { status, body } = await startSignIn(visitor, provider);
      assert.deepEqual([status, Object.keys(body), visitor.cookies.size], [200, ['url'], 1]);
      const url = new URL(body.url);
      assert.equal(`${url.origin}${url.pathname}`, signInPage);
      assert.equal(url.searchParams.get('client_id'), `our-${provider}-id`);
      assert.equal(url.searchParams.get('redirect_uri'), `${running.authUrl}/callback/${provider}`);
      assert.ok(!body.url.includes('secret'));
    });
  }

  it('redirects to the sign-in page if a provider sends an error or a wrong state', async () => {
    const [visitor, other] = [new Visitor(running.authUrl), new Visitor(running.authUrl)];
    const { body } = await startSignIn(visitor, 'google');
    const state = new URL(body.url).searchParams.get('state');
    for (const [who, query] of [
      [visitor, 'code=a&state=wrong'],
      [visitor, 'error=access_denied'],
      [visitor, `error=access_denied&state=${state}`],
      [other, `code=a&state=${state}`],
    ] as const) {
      const { status, headers, text } = await who.get(`callback/google?${query}`);
      assert.match(headers.get('location') ?? '', /^\/dashboard\/sign-in\/\?error=\w/);
      assert.deepEqual([status, text, headers.get('cache-control')], [302, '', 'no-store']);
      assert.equal(who.session, undefined);
    }
  });

  it('never redirects to another host', async () => {
    for (const url of ['https://evil.example/', '/\\evil.example'])
      for (const name of ['callbackURL', 'errorCallbackURL']) {
        const visitor = new Visitor(running.authUrl);
        assert.equal((await startSignIn(visitor, 'google', { [name]: url })).status, 403, name);
      }
  });

  it('responds with 404 for a provider without settings', async () => {
    const visitor = new Visitor(running.authUrl);
    assert.equal((await startSignIn(visitor, 'gitlab')).status, 404);
    assert.equal((await visitor.get('callback/gitlab?code=a&state=b')).status, 404);
    const without = await sharedGateway();
    assert.equal((await startSignIn(new Visitor(without.authUrl), 'google')).status, 404);
  });

  it('uses PUBLIC_URL for the callback if it is set', async () => {
    const PUBLIC_URL = 'https://api.example.org';
    const published = await sharedGateway({ ...withProviders, PUBLIC_URL });
    const { body } = await startSignIn(new Visitor(published.authUrl), 'google');
    const redirect = new URL(body.url).searchParams.get('redirect_uri');
    assert.equal(redirect, 'https://api.example.org/auth/callback/google');
  });

  it('logs nothing of the requests', () => {
    assert.doesNotMatch(running.logged.slice(loggedBefore).join('\n'), /evil|our-|state=|code=/);
  });
});
