import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { FakeSystem } from '../../fake-system.ts';
import { sharedGateway } from '../set-ups.ts';
import { newUser, type ServiceResponse, Visitor, visibleParts } from './visitor.ts';

describe('Users', async () => {
  const running = await sharedGateway();
  const visitor = () => new Visitor(running.authUrl);

  it('sign up, sign in and sign out', async () => {
    const user = newUser();
    const ada = visitor();
    assert.deepEqual([(await ada.signUp(user)).status, ada.cookies.size], [200, 0]);
    assert.equal((await ada.get('account')).status, 401);
    assert.equal((await ada.signIn(user)).status, 200);
    assert.equal((await ada.get('account')).body.email, user.email);
    const session = new Map(ada.cookies);
    assert.equal((await ada.post('sign-out')).status, 200);
    assert.equal(ada.session, undefined, 'the response deletes the cookie');
    for (const [name, value] of session) ada.cookies.set(name, value);
    assert.equal((await ada.get('account')).status, 401, 'the session has ended');
  });

  it('who sign up with the address of an account get the same response, and change nothing', async () => {
    const user = newUser();
    const first = await visitor().signUp(user);
    const ada = visitor();
    await ada.signIn(user);
    for (const email of [user.email, user.email.toUpperCase()]) {
      const again = { email, password: 'another phrase altogether' };
      assert.deepEqual(visibleParts(await visitor().signUp(again)), visibleParts(first));
      assert.equal((await visitor().signIn(again)).status, 401);
    }
    assert.equal((await visitor().signIn(user)).status, 200);
    assert.equal((await ada.get('account')).status, 200);
  });

  it('get responses after a multiple of 250 ms where the time could reveal an account', async () => {
    const { system } = running;
    assert.ok(system instanceof FakeSystem);
    const user = newUser();
    const waitsFor = async (status: number, send: () => Promise<ServiceResponse>) => {
      system.waits.length = 0;
      assert.equal((await send()).status, status);
      return system.waits;
    };
    for (const [status, send] of [
      [200, () => visitor().signUp(user)],
      [200, () => visitor().signUp(user)],
      [401, () => visitor().signIn({ ...user, password: 'wrong one' })],
      [401, () => visitor().signIn(newUser())],
    ] as const)
      assert.deepEqual(await waitsFor(status, send), [250]);
    assert.deepEqual(await waitsFor(200, () => visitor().signIn(user)), []);
  });

  it('who sign up concurrently with one address get the same response, and one succeeds', async () => {
    const { email } = newUser();
    const newUsers = ['first', 'second', 'third'].map((word) => ({
      email,
      password: `the ${word} password`,
    }));
    const signUps = await Promise.all(newUsers.map((user) => visitor().signUp(user)));
    const [first, ...others] = signUps.map(visibleParts);
    for (const other of others) assert.deepEqual(other, first);
    const signIns = await Promise.all(newUsers.map((user) => visitor().signIn(user)));
    assert.deepEqual(signIns.map(({ status }) => status).sort(), [200, 401, 401]);
  });

  it('get the same response for a wrong password and for an unknown address', async () => {
    const user = newUser();
    await visitor().signUp({ ...user, email: user.email.toUpperCase() });
    const wrong = await visitor().signIn({ ...user, password: 'not the right one' });
    assert.equal(wrong.status, 401);
    assert.deepEqual(visibleParts(await visitor().signIn(newUser())), visibleParts(wrong));
    const ada = visitor();
    assert.equal((await ada.signIn({ ...user, email: user.email.toUpperCase() })).status, 200);
    assert.equal((await ada.get('account')).body.email, user.email);
  });

  it('can choose any password of 10 to 128 characters that is hard to guess', async () => {
    const longest = randomBytes(96).toString('base64');
    for (const password of ['ten chars!', 'ü☃ 𝄞 "\\\' %00', longest]) {
      const user = { ...newUser(), password };
      assert.equal((await visitor().signUp(user)).status, 200, password);
      assert.equal((await visitor().signIn(user)).status, 200, password);
    }
    for (const [password, fault] of [
      ['nine char', 'Password too short'],
      [`${longest}x`, 'Password too long'],
    ] as const) {
      const { status, body } = await visitor().signUp({ ...newUser(), password });
      assert.deepEqual([status, body], [400, { error: fault }]);
    }
  });

  it('cannot set fields other than name, address and password', async () => {
    const user = newUser();
    const more = { id: 'mine', emailVerified: true, createdAt: 'yesterday', plan: 'roomy' };
    assert.equal((await visitor().signUp(user, more)).status, 200);
    const row = await running.database
      .selectFrom('users')
      .selectAll()
      .where('email', '=', user.email)
      .executeTakeFirstOrThrow();
    assert.notEqual(row.id, 'mine');
    assert.ok(!('emailVerified' in row) || !row.emailVerified);
    const ada = visitor();
    await ada.signIn(user);
    assert.equal((await ada.get('account')).body.plan.name, 'free');
  });
});
