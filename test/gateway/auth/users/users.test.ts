import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { listAccounts } from '../../../../gateway/auth/accounts.ts';
import { systemClock } from '../../../../gateway/clock.ts';
import { runGateway } from '../../running-gateway.ts';
import { behindProxy, setUps } from '../set-ups.ts';
import { type Answer, seen, signedIn, somebody, Visitor } from './visitor.ts';

for (const { setUp, skip } of setUps) {
  describe(`Users, ${setUp}`, { skip }, async () => {
    if (skip) return;
    const running = await runGateway(behindProxy, setUp);
    after(running.close);
    const visitor = () => new Visitor(running.authUrl);

    it('sign up, sign in and sign out', async () => {
      const person = somebody();
      const ada = visitor();
      assert.deepEqual([(await ada.signUp(person)).status, ada.cookies.size], [200, 0]);
      assert.equal((await ada.get('account')).status, 401);
      assert.equal((await ada.signIn(person)).status, 200);
      assert.equal((await ada.get('account')).body.email, person.email);
      const session = new Map(ada.cookies);
      assert.equal((await ada.post('sign-out')).status, 200);
      assert.equal(ada.cookies.size, 0, 'the response deletes the cookie');
      for (const [name, value] of session) ada.cookies.set(name, value);
      assert.equal((await ada.get('account')).status, 401, 'the session has ended');
    });

    it('can sign out without a body, and without a session', async () => {
      const ada = await signedIn(running.authUrl);
      assert.equal((await ada.ask('POST', 'sign-out')).status, 200);
      assert.equal((await ada.get('account')).status, 401);
      assert.equal((await visitor().post('sign-out')).status, 200);
    });

    it('can have several sessions, and sign out of one', async () => {
      const person = somebody();
      const [home, library] = [await signedIn(running.authUrl, person), visitor()];
      await library.signIn(person);
      await home.post('sign-out');
      assert.equal((await library.get('account')).status, 200);
    });

    it('get an account on the default plan', async () => {
      const person = somebody();
      await signedIn(running.authUrl, person);
      const accounts = await listAccounts(running.database, systemClock);
      const account = accounts.find(({ email }) => email === person.email);
      assert.deepEqual([account?.name, account?.plan, account?.liveKeys], [person.email, 'free', 0]);
    });

    it('never receive the token of their session in a body', async () => {
      const person = somebody();
      const ada = visitor();
      const answers = [await ada.signUp(person), await ada.signIn(person)];
      const [token = ''] = decodeURIComponent([...ada.cookies.values()][0] ?? '').split('.');
      assert.ok(token.length >= 32);
      for (const path of ['account', 'keys', 'settings']) answers.push(await ada.get(path));
      answers.push(await ada.post('sign-out'));
      for (const { text, headers } of answers) {
        assert.ok(!text.includes(token));
        assert.equal(headers.get('cache-control'), 'no-store');
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
      }
      assert.deepEqual(
        answers.slice(0, 2).map(({ text }) => text),
        ['{}', '{}'],
      );
    });

    it('who sign up with the address of an account get the same response, and change nothing', async () => {
      const person = somebody();
      const again = { ...person, password: 'another phrase altogether' };
      const first = await visitor().signUp(person);
      const ada = visitor();
      await ada.signIn(person);
      assert.deepEqual(seen(await visitor().signUp(again)), seen(first));
      assert.deepEqual(
        seen(await visitor().signUp({ ...again, email: person.email.toUpperCase() })),
        seen(first),
      );
      assert.equal((await visitor().signIn(again)).status, 401);
      assert.equal((await visitor().signIn(person)).status, 200);
      assert.equal((await ada.get('account')).status, 200);
    });

    it('who sign up concurrently with one address get the same response, and one succeeds', async () => {
      const { email } = somebody();
      const newUsers = ['first', 'second', 'third'].map((word) => ({
        email,
        password: `the ${word} password`,
      }));
      const answers = await Promise.all(newUsers.map((person) => visitor().signUp(person)));
      for (const answer of answers) assert.deepEqual(seen(answer), seen(answers[0] as Answer));
      const statuses = await Promise.all(
        newUsers.map(async (person) => (await visitor().signIn(person)).status),
      );
      assert.deepEqual(statuses.sort(), [200, 401, 401]);
    });

    it('are not told whether the address or the password is wrong', async () => {
      const person = somebody();
      await visitor().signUp(person);
      const wrong = await visitor().signIn({ ...person, password: 'not the right one' });
      const unknown = await visitor().signIn(somebody());
      assert.equal(wrong.status, 401);
      assert.deepEqual(seen(unknown), seen(wrong));
    });

    it('can sign in with their address in upper case', async () => {
      const person = somebody();
      await visitor().signUp({ ...person, email: person.email.toUpperCase() });
      for (const email of [person.email, person.email.toUpperCase()]) {
        const ada = visitor();
        assert.equal((await ada.signIn({ ...person, email })).status, 200);
        assert.equal((await ada.get('account')).body.email, person.email);
      }
    });

    it('can choose any password of 10 to 128 characters', async () => {
      for (const password of ['ten chars!', 'ü☃ 𝄞 "\\\' %00', 'x'.repeat(128)]) {
        const person = { ...somebody(), password };
        assert.equal((await visitor().signUp(person)).status, 200, password);
        assert.equal((await visitor().signIn(person)).status, 200, password);
      }
      for (const [password, fault] of [
        ['nine char', 'Password too short'],
        ['x'.repeat(129), 'Password too long'],
      ] as const) {
        const { status, body } = await visitor().signUp({ ...somebody(), password });
        assert.deepEqual([status, body], [400, { error: fault }]);
      }
    });

    it('get an error for an invalid address', async () => {
      for (const email of ['ada', 'ada@', '@example.org', 'ada @example.org', 'a@b@example.org', '']) {
        const { status, body } = await visitor().signUp({ ...somebody(), email });
        assert.deepEqual([status, body], [400, { error: 'Invalid email' }], email);
      }
    });

    it('cannot set fields other than name, address and password', async () => {
      const person = somebody();
      const more = { id: 'mine', emailVerified: true, createdAt: 'yesterday', plan: 'roomy', role: 'admin' };
      assert.equal((await visitor().signUp(person, more)).status, 200);
      const user = await running.database
        .selectFrom('users')
        .selectAll()
        .where('email', '=', person.email)
        .executeTakeFirstOrThrow();
      assert.notEqual(user.id, 'mine');
      assert.ok(!('emailVerified' in user) || !user.emailVerified);
      const ada = visitor();
      await ada.signIn(person);
      assert.equal((await ada.get('account')).body.plan.name, 'free');
    });
  });
}
