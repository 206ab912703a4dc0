import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { browserOf } from '../../../../gateway/auth/users/sessions.ts';
import { runGateway } from '../../running-gateway.ts';
import { behindProxy, setUps } from '../set-ups.ts';
import { newUser, signedIn, Visitor } from './visitor.ts';

interface Session {
  readonly id: string;
  readonly browser: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly current: boolean;
}

const firefox = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

for (const { setUp, skip } of setUps) {
  describe(`Sessions, ${setUp}`, { skip }, async () => {
    if (skip) return;
    const running = await runGateway(behindProxy, setUp);
    after(running.close);
    const sessionsOf = async (visitor: Visitor): Promise<readonly Session[]> =>
      (await visitor.get('sessions')).body.sessions;

    it('are listed with browser, creation and last use, newest first', async () => {
      const user = newUser();
      const home = await signedIn(running.authUrl, user);
      const library = new Visitor(running.authUrl, firefox);
      await library.signIn(user);
      const [newest, oldest, ...more] = await sessionsOf(home);
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

    it('are listed without their tokens', async () => {
      const ada = await signedIn(running.authUrl);
      const [token = ''] = decodeURIComponent([...ada.cookies.values()].join()).split('.');
      const { text } = await ada.get('sessions');
      assert.ok(token.length >= 32 && !text.includes(token));
    });

    it('have a last use that is at most an hour old', async () => {
      const user = newUser();
      const ada = await signedIn(running.authUrl, user);
      const [before] = await sessionsOf(ada);
      assert.ok(before);
      const earlier = (iso: string) => new Date(Date.parse(iso) - 2 * 3_600_000).toISOString();
      await running.database
        .updateTable('sessions')
        .set({ expiresAt: earlier(before.expiresAt), updatedAt: earlier(before.lastUsedAt) })
        .where('id', '=', before.id)
        .execute();
      await ada.get('account');
      const [used] = await sessionsOf(ada);
      assert.ok(used && used.lastUsedAt >= before.lastUsedAt);
    });

    it('get 401 if they end while they are used', { skip: setUp !== 'embedded' }, async () => {
      const ada = await signedIn(running.authUrl);
      const old = new Date(Date.now() + 2 * 86_400_000).toISOString();
      await running.database.updateTable('sessions').set({ expiresAt: old, updatedAt: old }).execute();
      // The refresh of the session finds no row.
      await sql`create trigger ended before update on sessions begin select raise(ignore); end`.execute(
        running.database,
      );
      const { status } = await ada.get('account');
      await sql`drop trigger ended`.execute(running.database);
      assert.equal(status, 401);
      assert.ok(running.logged.every((line) => !line.includes('failed')));
    });

    it('end at once when the user ends them', async () => {
      const user = newUser();
      const home = await signedIn(running.authUrl, user);
      const library = new Visitor(running.authUrl, firefox);
      await library.signIn(user);
      const [ended] = await sessionsOf(home);
      assert.equal((await home.request('DELETE', `sessions/${ended?.id}`)).status, 200);
      assert.equal((await library.get('account')).status, 401);
      assert.equal((await home.get('account')).status, 200);
      assert.equal((await sessionsOf(home)).length, 1);
      assert.equal((await home.request('DELETE', `sessions/${ended?.id}`)).status, 404);
    });

    it('of other users are not found', async () => {
      const [ada, bob] = [await signedIn(running.authUrl), await signedIn(running.authUrl)];
      const [own] = await sessionsOf(ada);
      for (const id of [own?.id, 'a'.repeat(32), 'a', '%00', `${own?.id}'--`]) {
        const { status, body } = await bob.request('DELETE', `sessions/${id}`);
        assert.deepEqual([status, body], [404, { error: 'There is no such session.' }]);
      }
      assert.equal((await ada.get('account')).status, 200);
    });

    it('are at most ten of one user: the oldest end', async () => {
      const user = newUser();
      const visitors = [await signedIn(running.authUrl, user)];
      const other = await signedIn(running.authUrl);
      for (let more = 0; more < 11; more += 1) {
        const visitor = new Visitor(running.authUrl);
        await visitor.signIn(user);
        visitors.push(visitor);
      }
      const statuses = await Promise.all(visitors.map(async (visitor) => (await visitor.get('keys')).status));
      assert.deepEqual(statuses, [401, 401, ...Array(10).fill(200)]);
      assert.equal((await other.get('account')).status, 200);
    });
  });
}

describe('The browser of a session', () => {
  for (const [userAgent, name] of [
    [firefox['User-Agent'], 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
      'Chrome on iOS',
    ],
    ['<script>alert(1)</script>', 'Another browser'],
    [undefined, 'Another browser'],
  ] as const) {
    it(`is named by a fixed list of words: ${name}`, () => assert.equal(browserOf(userAgent), name));
  }
});
