import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { listAccounts } from '../../../../gateway/auth/accounts.ts';
import { systemClock } from '../../../../gateway/clock.ts';
import { runGateway } from '../../running-gateway.ts';
import { behindProxy, setUps } from '../set-ups.ts';
import { newUser, signedIn, Visitor } from './visitor.ts';

const wrongPassword = { error: 'The current password is wrong.' };
const newPassword = 'another phrase altogether';

for (const { setUp, skip } of setUps) {
  describe(`The account of a user, ${setUp}`, { skip }, async () => {
    if (skip) return;
    const running = await runGateway(behindProxy, setUp);
    after(running.close);
    const remove = (visitor: Visitor, body: object) =>
      visitor.request('DELETE', 'account', JSON.stringify(body), { 'Content-Type': 'application/json' });
    const accountOf = async (email: string) =>
      (await listAccounts(running.database, systemClock)).find((account) => account.email === email);

    it('gets another password, which ends all other sessions', async () => {
      const user = newUser();
      const home = await signedIn(running.authUrl, user);
      const library = new Visitor(running.authUrl);
      await library.signIn(user);
      const wrong = await home.post('change-password', { currentPassword: 'not the right one', newPassword });
      assert.deepEqual([wrong.status, wrong.body], [400, wrongPassword]);
      const short = await home.post('change-password', {
        currentPassword: user.password,
        newPassword: 'nine char',
      });
      assert.deepEqual([short.status, short.body], [400, { error: 'Password too short' }]);
      assert.equal((await library.get('account')).status, 200);

      const changed = await home.post('change-password', { currentPassword: user.password, newPassword });
      assert.deepEqual([changed.status, changed.text], [200, '{}']);
      assert.deepEqual(
        [(await home.get('account')).status, (await library.get('account')).status],
        [200, 401],
      );
      assert.equal((await home.get('sessions')).body.sessions.length, 1);
      assert.equal((await library.signIn(user)).status, 401);
      assert.equal((await library.signIn({ ...user, password: newPassword })).status, 200);
    });

    it('is deleted with its keys, usage and sessions by the right password', async () => {
      const user = newUser();
      const ada = await signedIn(running.authUrl, user);
      const { body: key } = await ada.post('keys', { name: 'laptop', expiresIn: null });
      const { id = '' } = (await accountOf(user.email)) ?? {};
      await running.addUsage(id, 5);
      for (const body of [{}, { password: 'not the right one' }, { password: 5 }]) {
        const { status, body: error } = await remove(ada, body);
        assert.deepEqual([status, error], [400, wrongPassword]);
      }
      const other = ada.elsewhere();
      const deleted = await remove(ada, { password: user.password });
      assert.deepEqual([deleted.status, deleted.text, ada.cookies.size], [200, '{}', 0]);

      assert.equal((await other.get('account')).status, 401);
      assert.equal((await other.signIn(user)).status, 401);
      assert.equal(await accountOf(user.email), undefined);
      const headers = { Authorization: `Bearer ${key.key}` };
      assert.equal((await fetch(`${running.baseUrl}/neet/2024/s1/physics.json`, { headers })).status, 403);
      for (const table of ['usage', 'keyUsage'] as const) {
        const rows = await running.database
          .selectFrom(table)
          .select('used')
          .where('account', '=', id)
          .execute();
        assert.deepEqual(rows, []);
      }
      await signedIn(running.authUrl, user);
      assert.notEqual((await accountOf(user.email))?.id, id, 'the address can sign up again');
    });

    it('without a password is deleted without one, and gets none', async () => {
      const user = newUser();
      const ada = await signedIn(running.authUrl, user);
      assert.equal((await ada.get('account')).body.password, true);
      await running.database
        .updateTable('logins')
        .set({ providerId: 'github' })
        .where('userId', '=', (set) => set.selectFrom('users').select('id').where('email', '=', user.email))
        .execute();
      assert.equal((await ada.get('account')).body.password, false);
      const { status } = await ada.post('change-password', { currentPassword: user.password, newPassword });
      assert.equal(status, 400);
      assert.equal((await remove(ada, {})).status, 200);
      assert.equal(await accountOf(user.email), undefined);
    });

    it('is not changed after twenty wrong passwords, wherever they come from, nor without a session', async () => {
      const user = newUser();
      const ada = await signedIn(running.authUrl, user);
      const guess = { currentPassword: 'not the right one', newPassword };
      for (let guesses = 0; guesses < 19; guesses += 1) await ada.elsewhere().post('change-password', guess);
      await remove(ada.elsewhere(), { password: 'not the right one' });
      const right = { currentPassword: user.password, newPassword };
      assert.equal((await ada.elsewhere().post('change-password', right)).status, 429);
      assert.equal((await remove(ada.elsewhere(), { password: user.password })).status, 429);
      const eve = new Visitor(running.authUrl);
      assert.equal((await eve.post('change-password', right)).status, 401);
      assert.equal((await remove(eve, { password: user.password })).status, 401);
    });
  });
}
