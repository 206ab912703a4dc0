import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserOf } from '../../../../gateway/accounts/routes/sign-in.ts';
import type { RunningGateway } from '../../running-gateway.ts';
import { sharedGateway, withProviders } from '../set-ups.ts';
import { newUser, signedIn, Visitor } from './visitor.ts';

type Session = Readonly<
  Record<'id' | 'browser' | 'createdAt' | 'lastUsedAt' | 'expiresAt', string>
> & {
  readonly current: boolean;
};

const firefox = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

describe('Sessions', async () => {
  const running = await sharedGateway();
  const sessionsOf = async (visitor: Visitor): Promise<readonly Session[]> =>
    (await visitor.get('sessions')).body.sessions;

  it('are listed with browser, creation and last use, newest first, without their tokens', async () => {
    const user = newUser();
    const home = await signedIn(running.authUrl, user);
    await running.pass(1000);
    const library = new Visitor(running.authUrl, firefox);
    await library.signIn(user);
    const { text, body } = await home.get('sessions');
    const [token = ''] = decodeURIComponent(home.session?.[1] ?? '').split('.');
    assert.ok(token.length >= 32 && !text.includes(token));
    const [newest, oldest, ...more]: readonly Session[] = body.sessions;
    assert.ok(newest && oldest);
    assert.deepEqual([more, newest.current, oldest.current], [[], false, true]);
    assert.deepEqual([newest.browser, oldest.browser], ['Firefox on Linux', 'Another browser']);
    assert.ok(newest.createdAt >= oldest.createdAt);
    assert.ok(newest.lastUsedAt >= newest.createdAt);
    const lifetime = Date.parse(newest.expiresAt) - Date.parse(newest.createdAt);
    assert.equal(Math.round(lifetime / 60_000), 7 * 24 * 60);
    assert.deepEqual(
      (await sessionsOf(library)).map(({ current }) => current),
      [true, false],
    );
  });

  it('have a last use that is at most an hour old, and expire a week after it', async () => {
    const ada = await signedIn(running.authUrl);
    const [before] = await sessionsOf(ada);
    await running.pass(3_599_000);
    const [unchanged] = await sessionsOf(ada);
    await running.pass(2000);
    const [used] = await sessionsOf(ada);
    assert.ok(before && used && unchanged?.lastUsedAt === before.lastUsedAt);
    assert.equal(Date.parse(used.lastUsedAt) - Date.parse(before.lastUsedAt), 3_601_000);
    assert.equal(Date.parse(used.expiresAt) - Date.parse(used.lastUsedAt), 7 * 86_400_000);
    await running.pass(7 * 86_400_000 + 1000);
    assert.equal((await ada.get('sessions')).status, 401);
  });

  it('end at once when the user ends them, but not for other users', async () => {
    const user = newUser();
    const home = await signedIn(running.authUrl, user);
    await running.pass(1000);
    const library = new Visitor(running.authUrl, firefox);
    await library.signIn(user);
    const [ended] = await sessionsOf(home);
    const bob = await signedIn(running.authUrl);
    for (const id of [ended?.id, 'a'.repeat(32), 'a', '%00', `${ended?.id}'--`]) {
      const { status, body } = await bob.remove(`sessions/${id}`);
      assert.deepEqual([status, body], [404, { error: 'There is no such session.' }]);
    }
    assert.equal((await library.get('account')).status, 200);
    assert.equal((await home.remove(`sessions/${ended?.id}`)).status, 200);
    assert.equal((await library.get('account')).status, 401);
    assert.equal((await sessionsOf(home)).length, 1);
    assert.equal((await home.remove(`sessions/${ended?.id}`)).status, 404);
  });

  it('are at most ten of one user: the oldest end', async () => {
    const user = newUser();
    const visitors = [await signedIn(running.authUrl, user)];
    const other = await signedIn(running.authUrl);
    for (let more = 0; more < 11; more += 1) {
      await running.pass(1000);
      const visitor = new Visitor(running.authUrl);
      await visitor.signIn(user);
      visitors.push(visitor);
    }
    const statuses = await Promise.all(
      visitors.map(async (visitor) => (await visitor.get('keys')).status),
    );
    assert.deepEqual(statuses, [401, 401, ...Array(10).fill(200)]);
    assert.equal((await other.get('account')).status, 200);
  });
});

describe('The browser of a session', () => {
  const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  for (const [userAgent, name] of [
    [firefox['User-Agent'], 'Firefox on Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`,
      'Edge on Windows',
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/140.0.0.0 Mobile Safari/537.36`,
      'Chrome on Android',
    ],
    ['<script>alert(1)</script>', 'Another browser'],
    [undefined, 'Another browser'],
  ] as const) {
    it(`is named by a fixed list of words: ${name}`, () =>
      assert.equal(browserOf(userAgent), name));
  }
});

describe('The session cookie', async () => {
  /** The cookies that a sign-in of a new user sets, without their values. */
  async function cookiesOf(
    { authUrl }: RunningGateway,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string[]> {
    const user = newUser();
    await new Visitor(authUrl).signUp(user);
    const signedIn = await new Visitor(authUrl, headers).signIn(user);
    return signedIn.headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, ''));
  }

  const cookies = (prefix: string, end: string) => [
    `${prefix}pastpaper.session_token; Max-Age=604800; Path=/auth; HttpOnly; ${end}SameSite=Lax`,
  ];

  it('is HttpOnly, SameSite=Lax and limited to /auth, and Secure if PUBLIC_URL is https', async () => {
    const plain = await cookiesOf(await sharedGateway(), { 'X-Forwarded-Proto': 'https' });
    const PUBLIC_URL = 'https://api.example.org';
    const published = await sharedGateway({ ...withProviders, PUBLIC_URL });
    assert.deepEqual(plain, cookies('', ''));
    assert.deepEqual(await cookiesOf(published), cookies('__Secure-', 'Secure; '));
  });
});
