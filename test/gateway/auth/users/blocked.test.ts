import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { blockAccount, unblockAccount } from '../../../../gateway/auth/accounts.ts';
import { systemClock } from '../../../../gateway/clock.ts';
import { runGateway } from '../../running-gateway.ts';
import { behindProxy, setUps } from '../set-ups.ts';
import { newUser, signedIn, Visitor } from './visitor.ts';

for (const { setUp, skip } of setUps) {
  describe(`A blocked account, ${setUp}`, { skip }, async () => {
    if (skip) return;
    const running = await runGateway(behindProxy, setUp);
    after(running.close);
    const block = (name: string) => blockAccount(running.database, systemClock, name);
    const unblock = (name: string) => unblockAccount(running.database, systemClock, name);
    const download = async (key: string) => {
      const headers = { Authorization: `Bearer ${key}` };
      return (await fetch(`${running.baseUrl}/neet/2024/s1/physics.json`, { headers })).status;
    };

    it('signs the user out everywhere, and rejects sign-in until it is unblocked', async () => {
      const user = newUser();
      const [home, library] = [await signedIn(running.authUrl, user), new Visitor(running.authUrl)];
      await library.signIn(user);
      await block(user.email);
      for (const visitor of [home, library]) {
        for (const path of ['account', 'keys']) assert.equal((await visitor.get(path)).status, 401);
        assert.equal((await visitor.post('keys', { name: 'laptop', expiresIn: null })).status, 401);
      }
      const visitor = new Visitor(running.authUrl);
      const { status, body } = await visitor.signIn(user);
      assert.deepEqual([status, body, visitor.cookies.size], [403, { error: 'This account is blocked.' }, 0]);
      await unblock(user.email);
      assert.equal((await home.get('account')).status, 401, 'the old session has ended');
      assert.equal((await visitor.signIn(user)).status, 200);
      assert.equal((await visitor.get('account')).status, 200);
    });

    it('is only revealed to a user who knows its password', async () => {
      const user = newUser();
      await signedIn(running.authUrl, user);
      await block(user.email);
      const wrong = await new Visitor(running.authUrl).signIn({ ...user, password: 'not the right one' });
      assert.equal(wrong.status, 401);
      assert.equal((await new Visitor(running.authUrl).signUp(user)).status, 200);
      assert.equal((await new Visitor(running.authUrl).signIn(user)).status, 403);
    });

    it('rejects its keys until it is unblocked', async () => {
      const user = newUser();
      const ada = await signedIn(running.authUrl, user);
      const keys: string[] = [];
      for (const name of ['one', 'two']) {
        keys.push((await ada.post('keys', { name, expiresIn: null })).body.key);
      }
      await block(user.email);
      assert.equal(await download(keys[0] ?? ''), 403);
      await unblock(user.email);
      assert.equal(await download(keys[1] ?? ''), 200);
    });

    it('does not affect other accounts', async () => {
      const [user, other] = [newUser(), newUser()];
      await signedIn(running.authUrl, user);
      const bob = await signedIn(running.authUrl, other);
      await block(user.email);
      assert.equal((await bob.get('account')).status, 200);
    });
  });
}

describe('A blocked account, embedded', async () => {
  const running = await runGateway(behindProxy, 'embedded');
  after(running.close);

  it('rejects its keys from the next request on', async () => {
    const { key } = await running.createKey('school');
    const headers = { Authorization: `Bearer ${key}` };
    const statuses: number[] = [];
    const download = async () => {
      statuses.push((await fetch(`${running.baseUrl}/neet/2024/s1/physics.json`, { headers })).status);
    };
    await download();
    await blockAccount(running.database, systemClock, 'school');
    await download();
    await unblockAccount(running.database, systemClock, 'school');
    await download();
    assert.deepEqual(statuses, [200, 403, 200]);
  });
});
