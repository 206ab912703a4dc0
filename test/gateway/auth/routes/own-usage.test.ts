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

    it('is listed by month, and for every day up to today', async () => {
      const ada = await signedIn(running.authUrl);
      const { key } = await make(ada);
      for (const used of [1, 2, 3]) assert.equal(await statusOf(key), 200, `${used}`);
      const { body } = await pollUntil(
        () => ada.get('account'),
        (response) => response.body.usage.days.at(-1).used === 3,
      );
      const today = new Date();
      const month = today.toISOString().slice(0, 7);
      const days = Array.from({ length: today.getUTCDate() }, (_, index) => ({
        day: `${month}-${String(index + 1).padStart(2, '0')}`,
        used: index + 1 === today.getUTCDate() ? 3 : 0,
      }));
      const resetAt = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1)).toISOString();
      assert.deepEqual(body.usage, { month, used: 3, resetAt, days });
      assert.deepEqual(body.plan, { name: 'free', perSecond: 2, perMonth: 1000 });
      assert.deepEqual(Object.keys(body), ['name', 'email', 'plan', 'usage']);
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
        error: 'The service cannot reach its data. Try again in a few seconds.',
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
