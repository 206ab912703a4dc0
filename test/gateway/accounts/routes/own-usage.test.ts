import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requireAccount } from '../../../../gateway/accounts/accounts.ts';
import { waitUntil } from '../../../wait-until.ts';
import { sharedGateway } from '../set-ups.ts';
import {
  newUser,
  type ServiceResponse,
  signedIn,
  statusOf,
  type Visitor,
} from '../users/visitor.ts';

describe('The usage of a user', async () => {
  const running = await sharedGateway();
  const download = (key: string) => statusOf(running.baseUrl, key);

  it('is listed by key and outcome, and for every day up to today; all keys of the account share the quota', async () => {
    const user = newUser();
    const ada = await signedIn(running.authUrl, user);
    const [one, two] = [await ada.createKey(), await ada.createKey()];
    await running.addUsage((await requireAccount(running.database, user.email)).id, 997);
    assert.deepEqual([await download(one.key), await download(two.key)], [200, 200]);
    await running.pass(1000);
    assert.deepEqual([await download(two.key), await download(two.key)], [200, 429]);
    const bob = await signedIn(running.authUrl);
    assert.equal(
      await download((await bob.createKey()).key),
      200,
      'another account has its own quota',
    );
    await running.flush();
    const { body } = await ada.get('account');
    const today = new Date(running.system.now());
    const [month, date] = [today.toISOString().slice(0, 7), today.getUTCDate()];
    const resetAt = new Date(
      Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1),
    ).toISOString();
    const { days, keys, ...rest } = body.usage;
    assert.deepEqual(rest, { month, used: 1000, resetAt, hasMore: false });
    const counts = { used: 0, rejectedByRate: 0, rejectedByQuota: 0 };
    assert.deepEqual(
      days,
      Array.from({ length: date }, (_, index) => ({
        day: `${month}-${String(index + 1).padStart(2, '0')}`,
        ...counts,
        ...(index + 1 === date && { used: 1000, rejectedByQuota: 1 }),
      })),
    );
    const byId = new Map(keys.map(({ id, ...rest }: { id: string }) => [id, rest]));
    assert.deepEqual(byId.size, 3);
    assert.deepEqual(byId.get(''), { name: null, start: null, ...counts, used: 997 });
    assert.deepEqual(byId.get(one.id), { name: 'laptop', start: one.start, ...counts, used: 1 });
    assert.deepEqual(byId.get(two.id), {
      name: 'laptop',
      start: two.start,
      ...counts,
      used: 2,
      rejectedByQuota: 1,
    });
    assert.deepEqual(body.plan, { name: 'free', perSecond: 2, perMonth: 1000 });
    assert.deepEqual(Object.keys(body), [
      'name',
      'email',
      'createdAt',
      'password',
      'plan',
      'quotaMail',
      'usage',
    ]);
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
  });

  const { redis } = running;
  if (!redis) return;

  it('is unavailable while Redis is down, with 503 and Retry-After', async () => {
    const ada = await signedIn(running.authUrl);
    await redis.kill();
    const { status, headers, body } = await accountWhen(ada, (response) => response.status !== 200);
    assert.deepEqual([status, headers.get('retry-after')], [503, '5']);
    assert.deepEqual(body, {
      error: 'The service cannot reach its database. Try again in a few seconds.',
    });
    assert.equal((await ada.get('keys')).status, 200);
    await redis.start();
    await accountWhen(ada, (response) => response.status === 200);
  });
});

/** Reads the account until the response matches. */
async function accountWhen(
  visitor: Visitor,
  matches: (response: ServiceResponse) => boolean,
): Promise<ServiceResponse> {
  let response!: ServiceResponse;
  await waitUntil(async () => {
    response = await visitor.get('account');
    return matches(response);
  }, 50);
  return response;
}
