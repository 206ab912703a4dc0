import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openAttempts } from '../../../../gateway/auth/attempts.ts';
import { openBetterAuth } from '../../../../gateway/auth/users/better-auth.ts';
import { readSessionSecret, signUpsByAddress } from '../../../../gateway/auth/users/credentials.ts';
import { systemClock } from '../../../../gateway/clock.ts';
import { type RunningGateway, runGateway } from '../../running-gateway.ts';
import { behindProxy, setUps } from '../set-ups.ts';
import { newUser, type ServiceResponse, signedIn, Visitor } from './visitor.ts';

const repeat = <Value>(count: number, send: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, send));

const statusOf = async (response: Promise<ServiceResponse>): Promise<number> => (await response).status;

function assertTooMany({ status, body, headers }: ServiceResponse, windowSeconds: number): void {
  const wait = Number(headers.get('retry-after'));
  assert.deepEqual([status, body.error], [429, `Too many attempts. Try again in ${wait} seconds.`]);
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= windowSeconds, `Retry-After: ${wait}`);
  assert.equal(headers.get('cache-control'), 'no-store');
}

for (const { setUp, skip } of setUps) {
  describe(`Limits of attempts, ${setUp}`, { skip }, async () => {
    if (skip) return;
    const opened: RunningGateway[] = [];
    after(() => Promise.all(opened.map((running) => running.close())));
    const run = async (settings: Readonly<Record<string, string>>) => {
      const running = await runGateway(settings, setUp);
      opened.push(running);
      return running.authUrl;
    };
    const authUrl = await run(behindProxy);

    it('allow ten failed sign-ins a minute from one IP address', async () => {
      const visitor = new Visitor(authUrl);
      const user = newUser();
      await new Visitor(authUrl).signUp(user);
      const failed = await repeat(10, () => statusOf(visitor.signIn(newUser())));
      assert.deepEqual(failed, Array(10).fill(401));
      assertTooMany(await visitor.signIn(newUser()), 60);
      assertTooMany(await visitor.signIn(user), 60);
      assert.equal((await new Visitor(authUrl).signIn(user)).status, 200, 'from another address');
    });

    it('do not count successful sign-ins as failed ones', async () => {
      const user = newUser();
      const visitor = new Visitor(authUrl);
      await visitor.signUp(user);
      for (let time = 1; time <= 12; time += 1) {
        assert.equal((await visitor.signIn(user)).status, 200, `time ${time}`);
      }
      assert.equal((await visitor.signIn({ ...user, password: 'not the right one' })).status, 401);
    });

    it('allow sixty sign-ins a minute from one IP address, successful or not', async () => {
      const user = newUser();
      const visitor = new Visitor(authUrl);
      await visitor.signUp(user);
      for (let round = 0; round < 12; round += 1) {
        const statuses = await repeat(5, () => statusOf(visitor.signIn(user)));
        assert.deepEqual(statuses, Array(5).fill(200), `round ${round}`);
      }
      assertTooMany(await visitor.signIn(user), 60);
      assert.equal((await new Visitor(authUrl).signIn(user)).status, 200, 'from another address');
    });

    it('reject sign-ins with 503 and Retry-After while too many passwords wait to be hashed', async () => {
      const answers = await repeat(45, () => new Visitor(authUrl).signIn(newUser()));
      const rejected = answers.filter(({ status }) => status === 503);
      const answered = answers.filter(({ status }) => status === 401);
      assert.equal(rejected.length + answered.length, 45);
      assert.ok(rejected.length > 0 && answered.length > 0, `${answered.length} of 45`);
      for (const { body, headers } of rejected) {
        const error = 'Too many requests at the moment. Try again in a few seconds.';
        assert.deepEqual([body, headers.get('retry-after')], [{ error }, '5']);
      }
    });

    it('allow twenty failed sign-ins in 15 minutes for one email address, from any IP address', async () => {
      const user = newUser();
      await new Visitor(authUrl).signUp(user);
      const guess = (email: string) => new Visitor(authUrl).signIn({ email, password: 'not the right one' });
      const failed = await repeat(20, () => statusOf(guess(user.email)));
      assert.deepEqual(failed, Array(20).fill(401));
      assertTooMany(await guess(user.email), 900);
      assertTooMany(await guess(user.email.toUpperCase()), 900);
      assertTooMany(await new Visitor(authUrl).signIn(user), 900);
      assert.equal((await guess(newUser().email)).status, 401, 'as someone else');
    });

    it('apply to email addresses without an account, too', async () => {
      const { email } = newUser();
      const guess = () => new Visitor(authUrl).signIn({ email, password: 'not the right one' });
      await repeat(20, guess);
      assertTooMany(await guess(), 900);
    });

    it('do not apply to requests without an email address', async () => {
      const nameless = () => new Visitor(authUrl).post('sign-in/email', { email: [], password: 'x' });
      await repeat(25, nameless);
      assert.equal((await new Visitor(authUrl).signIn(newUser())).status, 401);
    });

    it('allow ten sign-ups in ten minutes from one IP address, failed or not', async () => {
      const visitor = new Visitor(authUrl);
      const short = { ...newUser(), password: 'short' };
      assert.equal((await visitor.signUp(newUser())).status, 200);
      assert.deepEqual(await repeat(9, () => statusOf(visitor.signUp(short))), Array(9).fill(400));
      assertTooMany(await visitor.signUp(newUser()), 600);
      assert.equal((await new Visitor(authUrl).signUp(newUser())).status, 200, 'from another address');
    });

    it('allow thirty sign-ups a day from one IP address, whichever process receives them', async () => {
      const visitor = new Visitor(authUrl, { 'X-Forwarded-For': '2001:db8:aaaa:100::1' });
      const running = opened.find((one) => one.authUrl === authUrl);
      assert.ok(running);
      // Other processes with the same database and secret.
      const { database, config } = running;
      const others = openAttempts(database, () => readSessionSecret(config), systemClock);
      assert.equal((await visitor.signUp(newUser())).status, 200);
      for (let time = 0; time < 28; time += 1) await others.take(signUpsByAddress, '2001:db8:aaaa:100::/56');
      assert.equal((await visitor.signUp(newUser())).status, 200);
      assertTooMany(await visitor.signUp(newUser()), 86_400);
      const sibling = new Visitor(authUrl, { 'X-Forwarded-For': '2001:db8:aaaa:1ff::1' });
      assertTooMany(await sibling.signUp(newUser()), 86_400);
      const other = new Visitor(authUrl, { 'X-Forwarded-For': '2001:db8:aaaa:200::1' });
      assert.equal((await other.signUp(newUser())).status, 200, 'from another network');
    });

    it('allow thirty sign-ups a day through providers from one network', async () => {
      const running = opened.find((one) => one.authUrl === authUrl);
      assert.ok(running);
      const { database, config } = running;
      const readSecret = () => readSessionSecret(config);
      const auth = openBetterAuth({
        config,
        database,
        attempts: openAttempts(database, readSecret, systemClock),
        origin: 'http://127.0.0.1',
        secureCookies: false,
        sessionSecret: await readSecret(),
        sendMail: undefined,
        clock: systemClock,
        log: () => {},
      });
      const { internalAdapter } = await auth.$context;
      const signUp = () => {
        const { email } = newUser();
        const login = { providerId: 'google', accountId: email };
        return internalAdapter.createOAuthUser({ email, name: email, emailVerified: true }, login);
      };
      for (let time = 0; time < 30; time += 1) await signUp();
      await assert.rejects(signUp(), { message: 'Too many sign-ups.' });
    });

    it('are shared by processes with the same database and secret', async () => {
      const shared = { ...behindProxy, SESSION_SECRET: 'the-secret-of-all-of-these-processes' };
      const one = await runGateway(shared, setUp);
      const other = await runGateway({ ...shared, DATABASE_URL: one.databaseUrl }, setUp);
      try {
        const visitors = [one, other].map(
          (running) => new Visitor(running.authUrl, { 'X-Forwarded-For': '192.0.2.1' }),
        );
        for (let time = 0; time < 5; time += 1) {
          for (const visitor of visitors) assert.equal((await visitor.signIn(newUser())).status, 401);
        }
        for (const visitor of visitors) assertTooMany(await visitor.signIn(newUser()), 60);
      } finally {
        await other.close();
        await one.close();
      }
    });

    it('allow ten failed password resets a minute from one IP address', async () => {
      const visitor = new Visitor(authUrl);
      const guess = () =>
        visitor.post('reset-password', { token: 'a guess', newPassword: 'a phrase of words' });
      assert.deepEqual(await repeat(10, () => statusOf(guess())), Array(10).fill(400));
      assertTooMany(await guess(), 60);
    });

    it('allow thirty new keys a minute from one IP address', async () => {
      const ada = await signedIn(authUrl);
      const make = () => ada.post('keys', { name: '', expiresIn: null });
      assert.deepEqual(await repeat(30, () => statusOf(make())), Array(30).fill(400));
      assertTooMany(await make(), 60);
      assert.equal((await ada.elsewhere().post('keys', { name: 'laptop', expiresIn: null })).status, 201);
    });

    it('count an IPv6 network as one address', async () => {
      const from = (address: string) => new Visitor(authUrl, { 'X-Forwarded-For': address });
      for (let host = 1; host <= 10; host += 1) await from(`2001:db8:0:${host}::1`).signIn(newUser());
      assertTooMany(await from('2001:db8:0:ff::2').signIn(newUser()), 60);
      assert.equal((await from('2001:db8:1::1').signIn(newUser())).status, 401);
    });

    it('count by the address of the connection if no proxy is trusted', async () => {
      const untrusting = await run({});
      const guess = () => new Visitor(untrusting).signIn(newUser());
      assert.deepEqual(await repeat(10, () => statusOf(guess())), Array(10).fill(401));
      assertTooMany(await guess(), 60);
    });
  });
}
