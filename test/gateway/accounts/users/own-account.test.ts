import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeAccount, listAccounts } from '../../../../gateway/accounts/accounts.ts';
import { sharedGateway } from '../set-ups.ts';
import { newUser, signedIn, statusOf, Visitor } from './visitor.ts';

const wrongPassword = { error: 'The current password is wrong.' };
const newPassword = 'another phrase altogether';

describe('The account of a user', async () => {
  const running = await sharedGateway();
  const accountOf = async (email: string) =>
    (await listAccounts(running.database, running.system)).find(
      (account) => account.email === email,
    );

  it('gets another password, which ends all other sessions', async () => {
    const user = newUser();
    const home = await signedIn(running.authUrl, user);
    const library = new Visitor(running.authUrl);
    await library.signIn(user);
    const change = async (currentPassword: string, newPassword: string) => {
      const { status, body } = await home.post('change-password', { currentPassword, newPassword });
      return [status, body];
    };
    assert.deepEqual(await change('not the right one', newPassword), [400, wrongPassword]);
    const short = { error: 'Password too short' };
    assert.deepEqual(await change(user.password, 'nine char'), [400, short]);
    assert.equal((await library.get('account')).status, 200);
    assert.deepEqual(await change(user.password, newPassword), [200, {}]);
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
    const key = await ada.createKey();
    const { id = '' } = (await accountOf(user.email)) ?? {};
    await running.addUsage(id, 5);
    for (const body of [{}, { password: 'not the right one' }, { password: 5 }]) {
      const { status, body: error } = await ada.remove('account', body);
      assert.deepEqual([status, error], [400, wrongPassword]);
    }
    const other = ada.elsewhere();
    assert.equal(await statusOf(running.baseUrl, key.key), 200);
    const deleted = await ada.remove('account', { password: user.password });
    assert.deepEqual([deleted.status, deleted.text, ada.session], [200, '{}', undefined]);

    assert.equal((await other.get('account')).status, 401);
    assert.equal((await other.signIn(user)).status, 401);
    assert.equal(await accountOf(user.email), undefined);
    // A gateway caches what a separate service responds.
    await running.pass(10_000);
    assert.equal(await statusOf(running.baseUrl, key.key), 403);
    const again = await signedIn(running.authUrl, user);
    assert.deepEqual((await again.get('keys')).body.keys, [], 'the address can sign up again');
  });

  it('does not get another quota in the month by signing up again, however the address is written', async () => {
    const user = newUser();
    const { email, password } = user;
    let ada = await signedIn(running.authUrl, user);
    const { id = '' } = (await accountOf(email)) ?? {};
    await running.addUsage(id, 1000);
    for (const address of [email, email.toUpperCase()]) {
      assert.equal((await ada.remove('account', { password })).status, 200);
      ada = await signedIn(running.authUrl, { email: address, password });
      assert.equal((await ada.get('account')).body.usage.used, 1000);
      const { key } = await ada.createKey();
      assert.equal(await statusOf(running.baseUrl, key), 429);
    }
  });

  it('is deleted while it is used: other requests succeed, or are those of no account', async () => {
    const loggedBefore = running.logged.length;
    for (let round = 0; round < 8; round += 1) {
      const user = newUser();
      const ada = await signedIn(running.authUrl, user);
      const { id } = await ada.createKey();
      const requests = [1, 2, 3].flatMap(() => [
        ada.elsewhere().signIn(user),
        ada.elsewhere().post('keys', { name: 'laptop', expiresIn: null }),
        ada.elsewhere().remove('account', { password: user.password }),
        ada.elsewhere().post(`keys/${id}/rotate`, { overlap: 0 }),
        ada.elsewhere().get('account'),
        ada.elsewhere().remove(`keys/${id}`),
      ]);
      for (const { status, text } of await Promise.all(requests))
        assert.ok([200, 201, 401, 404, 409].includes(status), `${status} ${text}`);
      assert.equal(await accountOf(user.email), undefined);
    }
    assert.deepEqual(running.logged.slice(loggedBefore), []);
  });

  it('without a password is deleted without one, and gets none', async () => {
    const user = newUser();
    const ada = await signedIn(running.authUrl, user);
    assert.equal((await ada.get('account')).body.password, true);
    await running.database
      .updateTable('logins')
      .set({ providerId: 'github' })
      .where('userId', '=', (set) =>
        set.selectFrom('users').select('id').where('email', '=', user.email),
      )
      .execute();
    assert.equal((await ada.get('account')).body.password, false);
    const passwords = { currentPassword: user.password, newPassword };
    assert.equal((await ada.post('change-password', passwords)).status, 400);
    assert.equal((await ada.remove('account')).status, 200);
    assert.equal(await accountOf(user.email), undefined);
  });
});

describe('A blocked account', async () => {
  const running = await sharedGateway();

  it('signs the user out everywhere, and rejects sign-in until it is unblocked', async () => {
    const user = newUser();
    const [home, library] = [await signedIn(running.authUrl, user), new Visitor(running.authUrl)];
    await library.signIn(user);
    await changeAccount(running.database, user.email, { blockedAt: running.system.now() });
    for (const visitor of [home, library]) {
      for (const path of ['account', 'keys']) assert.equal((await visitor.get(path)).status, 401);
      assert.equal((await visitor.post('keys', { name: 'laptop', expiresIn: null })).status, 401);
    }
    const visitor = new Visitor(running.authUrl);
    const guess = await visitor.signIn({ ...user, password: 'not the right one' });
    assert.equal(guess.status, 401, 'who does not know the password is not told');
    const { status, body } = await visitor.signIn(user);
    assert.deepEqual(
      [status, body, visitor.cookies.size],
      [403, { error: 'This account is blocked.' }, 0],
    );
    await changeAccount(running.database, user.email, { blockedAt: null });
    assert.equal((await home.get('account')).status, 401, 'the old session has ended');
    assert.equal((await visitor.signIn(user)).status, 200);
    assert.equal((await visitor.get('account')).status, 200);
  });
});
