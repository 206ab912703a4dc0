import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type AttemptLimit,
  guessLimits,
  networkLimits,
  openAttempts,
  visitLimit,
} from '../../../../gateway/auth/attempts.ts';
import { deviceOf } from '../../../../gateway/auth/devices.ts';
import { openBetterAuth } from '../../../../gateway/auth/users/better-auth.ts';
import { hashing, readSessionSecret } from '../../../../gateway/auth/users/credentials.ts';
import { sharedGateway } from '../set-ups.ts';
import { type NewUser, newUser, type ServiceResponse, signedIn, Visitor } from './visitor.ts';

/** Asserts that a request was rejected until a window ends, whose seconds pass only by responses that wait. */
function assertTooMany({ status, body, headers }: ServiceResponse, windowSeconds: number): void {
  const wait = Number(headers.get('retry-after'));
  const time = windowSeconds > 120 ? `${Math.ceil(wait / 60)} minutes` : `${wait} seconds`;
  assert.deepEqual([status, body.error], [429, `Too many attempts. Try again in ${time}.`]);
  assert.ok(wait > windowSeconds - 10 && wait <= windowSeconds, `Retry-After: ${wait}`);
  assert.equal(headers.get('cache-control'), 'no-store');
}

describe('Limits of attempts', async () => {
  const running = await sharedGateway();
  const { authUrl, config, database, system } = running;
  const readSecret = () => readSessionSecret(config, system);
  const from = (address: string) => new Visitor(authUrl, { 'X-Forwarded-For': address });
  const wrong = 'not the right one';
  const guess = (visitor: Visitor, email = newUser().email) =>
    visitor.signIn({ email, password: wrong });

  /** Counts attempts as another process with the same database and secret. */
  async function countElsewhere(limit: AttemptLimit, who: string, count: number): Promise<void> {
    const attempts = openAttempts(database, readSecret, system, assert.fail);
    for (let taken = 0; taken < count; taken += 1) await attempts.take(limit, who);
    await attempts.flush();
  }

  const ada = await signedIn(authUrl);
  const signUp = (visitor: Visitor) => visitor.signUp({ ...newUser(), password: 'short' });
  const changePassword = (visitor: Visitor) =>
    visitor.post('change-password', { currentPassword: wrong, newPassword: 'a phrase of words' });
  const resetPassword = (visitor: Visitor) =>
    visitor.post('reset-password', { token: 'a guess', newPassword: 'a phrase of words' });

  const minute = 60;
  const day = 86_400;
  type Row = readonly [
    limit: AttemptLimit,
    count: number,
    seconds: number,
    status: number,
    send: (visitor: Visitor) => Promise<ServiceResponse>,
  ];
  const rows: readonly Row[] = [
    [networkLimits.signIn, 10, minute, 401, (visitor) => guess(visitor)],
    [networkLimits.passwords, 60, minute, 401, (visitor) => guess(visitor)],
    [networkLimits.passwords, 60, minute, 400, changePassword],
    [
      networkLimits.passwords,
      60,
      minute,
      400,
      (visitor) => visitor.remove('account', { password: wrong }),
    ],
    [networkLimits.signUp, 10, 10 * minute, 400, signUp],
    [networkLimits.newUsers, 30, day, 400, signUp],
    [
      networkLimits.provider,
      10,
      10 * minute,
      404,
      (visitor) => visitor.post('sign-in/social', { provider: 'google' }),
    ],
    [
      networkLimits.resetRequest,
      10,
      10 * minute,
      409,
      (visitor) => visitor.post('request-password-reset'),
    ],
    [networkLimits.reset, 10, minute, 400, resetPassword],
    [networkLimits.keys, 30, minute, 400, (visitor) => visitor.post('keys')],
    [
      visitLimit('/verify-email'),
      60,
      minute,
      302,
      (visitor) => visitor.get('verify-email?token=a'),
    ],
  ];
  for (const [index, [limit, count, seconds, status, send]] of rows.entries()) {
    it(`allow ${count} attempts in ${seconds} s from one network: ${limit.name}, ${status}`, async () => {
      const visitor = ada.elsewhere(`192.0.2.${index}`);
      await countElsewhere(limit, `192.0.2.${index}`, count - 1);
      assert.equal((await send(visitor)).status, status);
      assertTooMany(await send(visitor), seconds);
      assert.equal((await send(ada.elsewhere())).status, status, 'from another address');
    });
  }

  it('do not count what a cheaper check rejects', async () => {
    const visitor = from('192.0.2.90');
    for (let time = 0; time < 31; time += 1) {
      assert.equal((await visitor.post('keys')).status, 401);
      assert.equal(
        (await visitor.post('sign-up/email', { password: 'a phrase of words' })).status,
        400,
      );
    }
    assert.equal((await ada.elsewhere('192.0.2.90').post('keys')).status, 400);
  });

  it('do not count successful sign-ins as failed ones, but as sign-ins', async () => {
    const user = newUser();
    await new Visitor(authUrl).signUp(user);
    const visitor = from('192.0.2.101');
    await countElsewhere(networkLimits.signIn, '192.0.2.101', 8);
    await countElsewhere(networkLimits.passwords, '192.0.2.101', 55);
    for (let time = 1; time <= 3; time += 1) assert.equal((await visitor.signIn(user)).status, 200);
    assert.equal((await guess(visitor, user.email)).status, 401);
    assert.equal((await visitor.signIn(user)).status, 200);
    assertTooMany(await visitor.signIn(user), 60);
  });

  it('accept the right passwords of thirty users behind one address who sign in at once', async () => {
    const users = Array.from({ length: 30 }, newUser);
    for (const user of users) await new Visitor(authUrl).signUp(user);
    const signIns = await Promise.all(users.map((user) => from('192.0.2.102').signIn(user)));
    assert.deepEqual(new Set(signIns.map(({ status }) => status)), new Set([200]));
  });

  it('allow no more than ten of thirty wrong passwords that are sent at once', async () => {
    const guesses = Array.from({ length: 30 }, () => guess(from('192.0.2.103')));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(20).fill(429)]);
  });

  it('reject sign-ins with 503 and Retry-After while thirty wait, for which nothing is read', async () => {
    const user = newUser();
    await new Visitor(authUrl).signUp(user);
    await hashing.acquire(new AbortController().signal);
    const signIns = Array.from({ length: 31 }, () => new Visitor(authUrl).signIn(user));
    const { status, headers, body } = await Promise.race(signIns);
    const error = 'Too many requests at the moment. Try again in a few seconds.';
    assert.deepEqual([status, headers.get('retry-after'), body], [503, '5', { error }]);
    await database
      .updateTable('users')
      .set({ email: newUser().email })
      .where('email', '=', user.email)
      .execute();
    hashing.release();
    const statuses = (await Promise.all(signIns)).map((response) => response.status).sort();
    assert.deepEqual(statuses, [...Array(30).fill(401), 503]);
  });

  it('allow twenty wrong passwords in 15 minutes for one account from one network', async () => {
    const user = newUser();
    await new Visitor(authUrl).signUp(user);
    for (const email of [user.email, newUser().email]) {
      const visitor = new Visitor(authUrl);
      await countElsewhere(
        guessLimits.network,
        `${visitor.headers['X-Forwarded-For']} ${email}`,
        19,
      );
      assert.equal((await guess(visitor, email.toUpperCase())).status, 401);
      assertTooMany(await guess(visitor, email), 900);
      assertTooMany(await visitor.signIn({ ...user, email }), 900);
      assert.equal((await guess(visitor)).status, 401, 'as someone else');
      assert.equal((await guess(new Visitor(authUrl), email)).status, 401, 'from elsewhere');
    }
  });

  /** Signs up and signs in, until others have used up the guesses of all networks. */
  async function underAttack(user: NewUser): Promise<Visitor> {
    await countElsewhere(guessLimits.account, user.email, 99);
    const home = await signedIn(authUrl, user);
    assert.equal((await guess(new Visitor(authUrl), user.email)).status, 401);
    assertTooMany(await new Visitor(authUrl).signIn(user), 900);
    return home;
  }

  it('allow a hundred from all networks, and others from each browser that has signed in to the account', async () => {
    const user = newUser();
    const home = await underAttack(user);
    await home.post('sign-out');
    const [id = ''] = home.device.split('.');
    await countElsewhere(guessLimits.browser, id, 18);
    for (const visitor of [home.elsewhere(), home.elsewhere()]) {
      assert.equal((await visitor.signIn(user)).status, 200);
      assert.equal((await guess(home.elsewhere(), user.email)).status, 401);
    }
    assertTooMany(await home.elsewhere().signIn(user), 900);
  });

  it('apply to a browser whose device cookie is forged, expired, or of another account', async () => {
    const user = newUser();
    const { device } = await underAttack(user);
    const [id, end, signature = ''] = device.split('.');
    const changed = [
      `${id}.${Number(end) + 1}.${signature}`,
      `${id}.${end}.${signature.slice(1)}A`,
      `${id}.${end}.`,
    ];
    for (const forged of [...changed, (await signedIn(authUrl)).device]) {
      const visitor = new Visitor(authUrl, { Cookie: `pastpaper.device=${forged}` });
      assertTooMany(await visitor.signIn(user), 900);
    }
    const find = (now: number) =>
      deviceOf(`a=b; pastpaper.device=${device}`, secret, user.email, now);
    const secret = await readSecret();
    assert.deepEqual([find(Number(end) - 1), find(Number(end))], [id, undefined]);
  });

  it('count wrong passwords of a session to change it and to delete the account, whatever others do', async () => {
    const home = await underAttack(newUser());
    const [session] = (await home.get('sessions')).body.sessions;
    await countElsewhere(guessLimits.browser, session.id, 18);
    assert.equal((await changePassword(home.elsewhere())).status, 400);
    assert.equal((await home.elsewhere().remove('account', { password: wrong })).status, 400);
    assertTooMany(await changePassword(home.elsewhere()), 900);
    assertTooMany(await home.elsewhere().remove('account', { password: wrong }), 900);
  });

  it('allow thirty sign-ups a day through providers from one network', async () => {
    const auth = openBetterAuth({
      ...{ config, database, system, sendMail: undefined, log: () => {} },
      attempts: openAttempts(database, readSecret, system, assert.fail),
      origin: 'http://127.0.0.1',
      secureCookies: false,
      sessionSecret: await readSecret(),
    });
    const { internalAdapter } = await auth.$context;
    const signUpByProvider = () => {
      const { email } = newUser();
      const login = { providerId: 'google', accountId: email };
      return internalAdapter.createOAuthUser({ email, name: email, emailVerified: true }, login);
    };
    await countElsewhere(networkLimits.newUsers, '', 29);
    await signUpByProvider();
    await assert.rejects(signUpByProvider(), { message: 'Too many sign-ups.' });
  });

  it('count an IPv6 network as one address', async () => {
    await countElsewhere(networkLimits.signIn, '2001:db8:0:1::/64', 9);
    assert.equal((await guess(from('2001:db8:0:1::1'))).status, 401);
    assertTooMany(await guess(from('2001:db8:0:1:ffff::')), 60);
    assert.equal((await guess(from('2001:db8:0:2::1'))).status, 401);
  });

  it('count by the address of the connection if no proxy is trusted', async () => {
    const untrusting = await sharedGateway({});
    await running.pass(60_000);
    const statuses: number[] = [];
    for (let sent = 0; sent < 10; sent += 1)
      statuses.push((await guess(new Visitor(untrusting.authUrl))).status);
    assert.deepEqual(statuses, Array(10).fill(401));
    assertTooMany(await guess(new Visitor(untrusting.authUrl)), 60);
  });
});
