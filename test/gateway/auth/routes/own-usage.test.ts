import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { listAccounts } from '../../../../gateway/auth/accounts.ts';
import { systemClock } from '../../../../gateway/clock.ts';
import { runGateway } from '../../running-gateway.ts';
import { behindProxy, setUps } from '../set-ups.ts';
import { newUser, pollUntil, signedIn, type Visitor } from '../users/visitor.ts';

for (const { setUp, skip } of setUps) {
  describe(`The usage of a user, ${setUp}`, { skip }, async () => {
    if (skip) return;
    const running = await runGateway(behindProxy, setUp);
    after(running.close);

    /** The status of a download, which is retried if the rate limit is exceeded. */
    async function statusOf(key: string): Promise<number> {
      for (;;) {
        const headers = { Authorization: `Bearer ${key}` };
        const response = await fetch(`${running.baseUrl}/neet/2024/s1/physics.json`, { headers });
        await response.arrayBuffer();
        if (response.status !== 429 || /"quota";r=0/.test(response.headers.get('ratelimit') ?? '')) {
          return response.status;
        }
        await delay(Number(response.headers.get('retry-after')) * 1000);
      }
    }
    const make = async (visitor: Visitor) =>
      (await visitor.post('keys', { name: 'laptop', expiresIn: null })).body;

    it('counts all keys of the account', async () => {
      const user = newUser();
      const ada = await signedIn(running.authUrl, user);
      const keys = [(await make(ada)).key, (await make(ada)).key];
      const accounts = await listAccounts(running.database, systemClock);
      const account = accounts.find(({ name }) => name === user.email)?.id ?? '';
      await running.addUsage(account, 999);
      assert.deepEqual([await statusOf(keys[0] ?? ''), await statusOf(keys[1] ?? '')], [200, 429]);
      const bob = await signedIn(running.authUrl);
      assert.equal(await statusOf((await make(bob)).key), 200, 'another account has its own quota');
    });

    it('is listed by key and outcome, and for every day up to today', async () => {
      const user = newUser();
      const ada = await signedIn(running.authUrl, user);
      const [one, two] = [await make(ada), await make(ada)];
      assert.equal(await statusOf(one.key), 200);
      const account = (await listAccounts(running.database, systemClock)).find(
        ({ name }) => name === user.email,
      );
      await running.addUsage(account?.id ?? '', 997);
      assert.deepEqual([await statusOf(two.key), await statusOf(two.key)], [200, 200]);
      assert.equal(await statusOf(two.key), 429);
      const { body } = await pollUntil(
        () => ada.get('account'),
        ({ body: { usage } }) => usage.used === 1000 && usage.days.at(-1).rejectedByQuota === 1,
      );
      const today = new Date();
      const month = today.toISOString().slice(0, 7);
      const resetAt = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1)).toISOString();
      const { days, keys, ...rest } = body.usage;
      assert.deepEqual(rest, { month, used: 1000, resetAt });
      const counts = { used: 0, rejectedByRate: 0, rejectedByQuota: 0 };
      // `statusOf` may have been rejected by the rate.
      const { rejectedByRate } = days.at(-1);
      assert.deepEqual(
        days,
        Array.from({ length: today.getUTCDate() }, (_, index) => ({
          day: `${month}-${String(index + 1).padStart(2, '0')}`,
          ...(index + 1 < today.getUTCDate() ? counts : { used: 1000, rejectedByRate, rejectedByQuota: 1 }),
        })),
      );
      assert.deepEqual(
        new Map(
          keys.map((key: { id: string; used: number; rejectedByQuota: number }) => [
            key.id,
            [key.used, key.rejectedByQuota],
          ]),
        ),
        new Map([
          ['', [997, 0]],
          [one.id, [1, 0]],
          [two.id, [2, 1]],
        ]),
      );
      assert.deepEqual(body.plan, { name: 'free', perSecond: 2, perMonth: 1000 });
      assert.deepEqual(Object.keys(body), ['name', 'email', 'createdAt', 'password', 'plan', 'usage']);
    });

    it('is listed for earlier months', async () => {
      const ada = await signedIn(running.authUrl);
      const { usage } = (await ada.get('account?month=2024-02')).body;
      assert.deepEqual(
        [usage.month, usage.used, usage.resetAt, usage.keys],
        ['2024-02', 0, '2024-03-01T00:00:00.000Z', []],
      );
      assert.deepEqual(
        [usage.days.length, usage.days[0].day, usage.days.at(-1).day],
        [29, '2024-02-01', '2024-02-29'],
      );
      for (const month of ['2024-13', '2024', '', "2024-02'"]) {
        const { status, body } = await ada.get(`account?month=${month}`);
        assert.deepEqual(
          [status, body],
          [400, { error: 'month must have the form YYYY-MM, such as 2026-11.' }],
        );
      }
    });

    const { redis } = running;
    if (!redis) return;

    it('is unavailable while Redis is down, with 503 and Retry-After', async () => {
      const ada = await signedIn(running.authUrl);
      await redis.kill();
      const { status, headers, body } = await pollUntil(
        () => ada.get('account'),
        (response) => response.status !== 200,
      );
      assert.deepEqual([status, headers.get('retry-after')], [503, '5']);
      assert.deepEqual(body, {
        error: 'The service cannot reach its database. Try again in a few seconds.',
      });
      assert.equal((await ada.get('keys')).status, 200);
      await redis.start();
      await pollUntil(
        () => ada.get('account'),
        (response) => response.status === 200,
      );
    });
  });
}
