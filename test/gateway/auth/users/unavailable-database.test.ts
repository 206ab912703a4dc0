import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { runGateway } from '../../running-gateway.ts';
import { behindProxy, setUps } from '../set-ups.ts';
import { newUser, signedIn, Visitor } from './visitor.ts';

const tables = ['users', 'sessions', 'logins', 'verifications', 'accounts', 'keys'];

for (const { setUp, skip } of setUps) {
  describe(`A database that is unavailable, ${setUp}`, { skip }, async () => {
    if (skip) return;
    const running = await runGateway(
      { ...behindProxy, SESSION_SECRET: 'what-signs-the-sessions-in-this-test' },
      setUp,
    );
    after(running.close);
    const user = newUser();
    const ada = await signedIn(running.authUrl, user);
    const { id, key } = (await ada.post('keys', { name: 'laptop', expiresIn: null })).body;
    const secrets = {
      password: user.password,
      address: user.email,
      key,
      'session token': decodeURIComponent([...ada.cookies.values()].join()).split('.')[0] ?? '',
      'session cookie': [...ada.cookies.values()].join(),
      'token of a link': 'the-token-of-a-link',
      'session secret': 'what-signs-the-sessions-in-this-test',
      'introspection secret': running.config.introspection?.secret ?? 'none here',
    };

    /** Renames the tables, so that queries fail, while `send` runs. */
    async function withoutTables<Value>(send: () => Promise<Value>): Promise<Value> {
      for (const table of tables) await rename(table, `${table}Elsewhere`);
      const value = await send();
      for (const table of tables) await rename(`${table}Elsewhere`, table);
      return value;
    }
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.id(from)} rename to ${sql.id(to)}`.execute(running.database);

    it('is reported as an outage, without details', async () => {
      const visitor = new Visitor(running.authUrl);
      const responses = await withoutTables(async () => [
        await visitor.signIn(user),
        await visitor.signUp(newUser()),
        await visitor.post('reset-password', {
          token: secrets['token of a link'],
          newPassword: user.password,
        }),
        await ada.get('account'),
        await ada.get('keys'),
        await ada.post('keys', { name: 'laptop', expiresIn: null }),
        await ada.post(`keys/${id}/rotate`, { overlap: 0 }),
        await ada.request('DELETE', `keys/${id}`),
      ]);
      const error = 'The service cannot reach its database. Try again in a few seconds.';
      for (const { status, body, headers } of responses) {
        assert.deepEqual([status, body, headers.get('retry-after')], [503, { error }, '5']);
        assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
      }
      assert.equal((await ada.get('account')).status, 200, 'it recovers when the tables are back');
    });

    it('does not sign users out', async () => {
      const { headers } = await withoutTables(() => ada.get('account'));
      assert.deepEqual(headers.getSetCookie(), []);
      assert.equal((await ada.get('account')).status, 200);
    });

    it('is logged without secrets', async () => {
      const headers = { Authorization: `Bearer ${key}` };
      await withoutTables(() => fetch(`${running.baseUrl}/neet/2024/s1/physics.json`, { headers }));
      const logged = running.logged.join('\n');
      assert.match(logged, /The accounts could not be read or written\. .*users/);
      for (const [name, secret] of Object.entries(secrets))
        assert.ok(!logged.includes(secret), `the ${name}: ${logged}`);
    });
  });
}
