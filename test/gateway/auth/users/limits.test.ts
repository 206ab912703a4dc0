import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AttemptLimit, emailLimits, networkLimits, openAttempts } from '../../../../gateway/auth/attempts.ts';
import { hashing, openBetterAuth } from '../../../../gateway/auth/users/better-auth.ts';
import { readSessionSecret } from '../../../../gateway/auth/users/credentials.ts';
import { sharedGateway, skip } from '../set-ups.ts';
import { newUser, type ServiceResponse, signedIn, Visitor } from './visitor.ts';

/** The statuses of requests, one after the other. */
async function statusesOf(count: number, send: () => Promise<ServiceResponse>): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1) statuses.push((await send()).status);
  return statuses;
}

/** Asserts that a request was rejected until a window ends, whose seconds pass only by responses that wait. */
function assertTooMany({ status, body, headers }: ServiceResponse, windowSeconds: number): void {
  const wait = Number(headers.get('retry-after'));
  assert.deepEqual([status, body.error], [429, `Too many attempts. Try again in ${wait} seconds.`]);
  assert.ok(wait > windowSeconds - 10 && wait <= windowSeconds, `Retry-After: ${wait}`);
  assert.equal(headers.get('cache-control'), 'no-store');
}

describe('Limits of attempts', { skip }, async () => {
  if (skip) return;
  const running = await sharedGateway();
  const { authUrl, config, database, system } = running;
  const readSecret = () => readSessionSecret(config, system);
  const from = (address: string) => new Visitor(authUrl, { 'X-Forwarded-For': address });

  /** Counts attempts as another process with the same database and secret. */
  async function countElsewhere(limit: AttemptLimit, who: string, count: number): Promise<void> {
    const attempts = openAttempts(database, readSecret, system);
    for (let taken = 0; taken < count; taken += 1) await attempts.take(limit, who);
  }

  it('allow ten failed sign-ins a minute from one IP address', async () => {
    const visitor = new Visitor(authUrl);
    const user = newUser();
    await new Visitor(authUrl).signUp(user);
    assert.deepEqual(await statusesOf(10, () => visitor.signIn(newUser())), Array(10).fill(401));
    assertTooMany(await visitor.signIn(newUser()), 60);
    assertTooMany(await visitor.signIn(user), 60);
    assert.equal((await new Visitor(authUrl).signIn(user)).status, 200, 'from another address');
    await running.pass(60_000);
    assert.equal((await visitor.signIn(user)).status, 200, 'a minute later');
  });

  it('do not count successful sign-ins as failed ones', async () => {
    const user = newUser();
    const visitor = new Visitor(authUrl);
    await visitor.signUp(user);
    // One after the other: an attempt is given back after its response.
    for (let time = 1; time <= 12; time += 1) assert.equal((await visitor.signIn(user)).status, 200);
    assert.equal((await visitor.signIn({ ...user, password: 'not the right one' })).status, 401);
  });

  it('allow sixty sign-ins a minute from one IP address, successful or not', async () => {
    const user = newUser();
    await new Visitor(authUrl).signUp(user);
    const visitor = from('192.0.2.60');
    assert.equal((await visitor.signIn(user)).status, 200);
    assert.equal((await visitor.signIn({ ...user, password: 'not the right one' })).status, 401);
    await countElsewhere(networkLimits.passwords, '192.0.2.60', 57);
    assert.equal((await visitor.signIn(user)).status, 200);
    assertTooMany(await visitor.signIn(user), 60);
    assert.equal((await new Visitor(authUrl).signIn(user)).status, 200, 'from another address');
  });

  it('reject sign-ins with 503 and Retry-After while thirty passwords wait to be hashed', async () => {
    await hashing.acquire(new AbortController().signal);
    const signIns = Array.from({ length: 31 }, () => new Visitor(authUrl).signIn(newUser()));
    const { status, headers, body } = await Promise.race(signIns);
    const error = 'Too many requests at the moment. Try again in a few seconds.';
    assert.deepEqual([status, headers.get('retry-after'), body], [503, '5', { error }]);
    hashing.release();
    const statuses = (await Promise.all(signIns)).map((response) => response.status).sort();
    assert.deepEqual(statuses, [...Array(30).fill(401), 503]);
  });

  it('allow twenty failed sign-ins in 15 minutes for one email address, from any IP address', async () => {
    const user = newUser();
    await new Visitor(authUrl).signUp(user);
    const guess = (email: string) => new Visitor(authUrl).signIn({ email, password: 'not the right one' });
    await countElsewhere(emailLimits.guesses, user.email, 18);
    assert.deepEqual(await statusesOf(2, () => guess(user.email)), [401, 401]);
    assertTooMany(await guess(user.email), 900);
    assertTooMany(await guess(user.email.toUpperCase()), 900);
    assertTooMany(await new Visitor(authUrl).signIn(user), 900);
    assert.equal((await guess(newUser().email)).status, 401, 'as someone else');
  });

  it('apply to email addresses without an account, too', async () => {
    const { email } = newUser();
    const guess = () => new Visitor(authUrl).signIn({ email, password: 'not the right one' });
    assert.deepEqual(await statusesOf(20, guess), Array(20).fill(401));
    assertTooMany(await guess(), 900);
  });

  it('do not apply to requests without an email address', async () => {
    const nameless = () => new Visitor(authUrl).post('sign-in/email', { email: [], password: 'x' });
    await statusesOf(21, nameless);
    assert.equal((await new Visitor(authUrl).signIn(newUser())).status, 401);
  });

  it('allow ten sign-ups in ten minutes from one IP address, failed or not', async () => {
    const visitor = new Visitor(authUrl);
    const short = { ...newUser(), password: 'short' };
    assert.equal((await visitor.signUp(newUser())).status, 200);
    assert.deepEqual(await statusesOf(9, () => visitor.signUp(short)), Array(9).fill(400));
    assertTooMany(await visitor.signUp(newUser()), 600);
    assert.equal((await new Visitor(authUrl).signUp(newUser())).status, 200, 'from another address');
  });

  it('allow thirty sign-ups a day from one IP address, whichever process receives them', async () => {
    const visitor = from('2001:db8:aaaa:100::1');
    assert.equal((await visitor.signUp(newUser())).status, 200);
    await countElsewhere(networkLimits.newUsers, '2001:db8:aaaa:100::/64', 28);
    assert.equal((await visitor.signUp(newUser())).status, 200);
    assertTooMany(await visitor.signUp(newUser()), 86_400);
    assertTooMany(await from('2001:db8:aaaa:100:ffff::1').signUp(newUser()), 86_400);
    assert.equal((await from('2001:db8:aaaa:101::1').signUp(newUser())).status, 200, 'another network');
  });

  it('allow thirty sign-ups a day through providers from one network', async () => {
    const auth = openBetterAuth({
      config,
      database,
      attempts: openAttempts(database, readSecret, system),
      origin: 'http://127.0.0.1',
      secureCookies: false,
      sessionSecret: await readSecret(),
      sendMail: undefined,
      system,
      log: () => {},
    });
    const { internalAdapter } = await auth.$context;
    const signUp = () => {
      const { email } = newUser();
      const login = { providerId: 'google', accountId: email };
      return internalAdapter.createOAuthUser({ email, name: email, emailVerified: true }, login);
    };
    await signUp();
    await countElsewhere(networkLimits.newUsers, '', 28);
    await signUp();
    await assert.rejects(signUp(), { message: 'Too many sign-ups.' });
  });

  it('allow ten failed password resets a minute from one IP address', async () => {
    const visitor = new Visitor(authUrl);
    const guess = () => visitor.post('reset-password', { token: 'a guess', newPassword: 'a phrase of words' });
    assert.deepEqual(await statusesOf(10, guess), Array(10).fill(400));
    assertTooMany(await guess(), 60);
  });

  it('allow thirty new keys a minute from one IP address', async () => {
    const ada = await signedIn(authUrl);
    const make = () => ada.post('keys', { name: '', expiresIn: null });
    assert.deepEqual(await statusesOf(30, make), Array(30).fill(400));
    assertTooMany(await make(), 60);
    assert.equal((await ada.elsewhere().post('keys', { name: 'laptop', expiresIn: null })).status, 201);
  });

  it('count an IPv6 network as one address', async () => {
    for (let host = 1; host <= 10; host += 1) await from(`2001:db8:0:1::${host}`).signIn(newUser());
    assertTooMany(await from('2001:db8:0:1:ffff::').signIn(newUser()), 60);
    assert.equal((await from('2001:db8:0:2::1').signIn(newUser())).status, 401);
  });

  it('count by the address of the connection if no proxy is trusted', async () => {
    const untrusting = await sharedGateway({});
    await running.pass(60_000);
    const guess = () => new Visitor(untrusting.authUrl).signIn(newUser());
    assert.deepEqual(await statusesOf(10, guess), Array(10).fill(401));
    assertTooMany(await guess(), 60);
  });
});
