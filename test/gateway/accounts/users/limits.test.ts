import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedGateway } from '../set-ups.ts';
import { newUser, type ServiceResponse, signedIn, Visitor } from './visitor.ts';

/** Asserts that a request was rejected until a window ends, whose seconds pass only by responses that wait. */
function assertTooMany({ status, body, headers }: ServiceResponse, windowSeconds: number): void {
  const wait = Number(headers.get('retry-after'));
  const time = wait > 120 ? `${Math.ceil(wait / 60)} minutes` : `${wait} seconds`;
  assert.deepEqual([status, body.error], [429, `Too many attempts. Try again in ${time}.`]);
  assert.ok(wait > windowSeconds - 30 && wait <= windowSeconds, `Retry-After: ${wait}`);
  assert.equal(headers.get('cache-control'), 'no-store');
}

describe('Limits of attempts', async () => {
  const running = await sharedGateway();
  const { authUrl } = running;
  const from = (address: string) => new Visitor(authUrl, { 'X-Forwarded-For': address });
  const wrong = 'not the right one';
  const guess = (visitor: Visitor, email = newUser().email) =>
    visitor.signIn({ email, password: wrong });
  const ada = await signedIn(authUrl);

  const rows: readonly (readonly [
    name: string,
    count: number,
    seconds: number,
    status: number,
    send: (visitor: Visitor) => Promise<ServiceResponse>,
  ])[] = [
    ['sign-in', 10, 60, 401, (visitor) => guess(visitor)],
    ['sign-up', 10, 600, 400, (visitor) => visitor.signUp({ ...newUser(), password: 'short' })],
    ['social', 10, 600, 404, (visitor) => visitor.post('sign-in/social', { provider: 'google' })],
    ['reset request', 10, 600, 409, (visitor) => visitor.post('request-password-reset')],
    [
      'reset',
      10,
      60,
      400,
      (visitor) =>
        visitor.post('reset-password', { token: 'a guess', newPassword: 'a phrase of words' }),
    ],
    ['keys', 30, 60, 400, (visitor) => visitor.post('keys')],
    ['visits', 60, 60, 302, (visitor) => visitor.get('verify-email?token=a')],
  ];
  for (const [index, [name, count, seconds, status, send]] of rows.entries()) {
    it(`allow ${count} attempts in ${seconds} s from one network: ${name}`, async () => {
      const visitor = ada.elsewhere(`192.0.2.${index}`);
      for (let sent = 0; sent < count; sent += 1)
        assert.equal((await send(visitor)).status, status, `${sent}`);
      assertTooMany(await send(visitor), seconds);
      assert.equal((await send(ada.elsewhere())).status, status, 'from another address');
    });
  }

  it('do not count successful sign-ins as failed ones, but as sign-ins', async () => {
    const user = newUser();
    await new Visitor(authUrl).signUp(user);
    const visitor = from('192.0.2.101');
    for (let time = 0; time < 59; time += 1)
      assert.equal((await visitor.signIn(user)).status, 200, `${time}`);
    assert.equal((await guess(visitor, user.email)).status, 401);
    assertTooMany(await visitor.signIn(user), 60);
  });

  it('allow no more than ten of fifteen wrong passwords that are sent at once', async () => {
    const guesses = Array.from({ length: 15 }, () => guess(from('192.0.2.103')));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(5).fill(429)]);
  });

  it('reject sign-ins with 503 and Retry-After while thirty wait', async () => {
    Object.assign(running.system, { passwordTime: 50 });
    const signIns = await Promise.all(
      Array.from({ length: 44 }, () => guess(new Visitor(authUrl))),
    );
    Object.assign(running.system, { passwordTime: 0 });
    const busy = signIns.filter(({ status }) => status === 503);
    assert.ok(busy.length > 0 && busy.length <= 13, `${busy.length}`);
    assert.equal(busy[0]?.headers.get('retry-after'), '5');
    assert.deepEqual(busy[0]?.body, {
      error: 'Too many requests at the moment. Try again in a few seconds.',
    });
  });

  it('allow twenty wrong passwords in 15 minutes for one account from one network', async () => {
    const user = newUser();
    await new Visitor(authUrl).signUp(user);
    const visitor = new Visitor(authUrl);
    for (let sent = 0; sent < 20; sent += 1) {
      if (sent === 10) await running.pass(60_000);
      assert.equal((await guess(visitor, user.email.toUpperCase())).status, 401);
    }
    await running.pass(60_000);
    const { status } = await visitor.signIn(user);
    assert.equal(status, 429);
    assert.equal((await guess(visitor)).status, 401, 'as someone else');
    assert.equal((await new Visitor(authUrl).signIn(user)).status, 200, 'from elsewhere');
  });

  it('allow a hundred wrong passwords in 15 minutes for one account from all networks', async () => {
    const user = newUser();
    await new Visitor(authUrl).signUp(user);
    for (let sent = 0; sent < 100; sent += 1)
      assert.equal((await guess(new Visitor(authUrl), user.email)).status, 401);
    assertTooMany(await new Visitor(authUrl).signIn(user), 900);
  });
});
