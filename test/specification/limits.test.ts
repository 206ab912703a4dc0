/** Section 8 of the specification: limits. */

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { needs, openService, readCatalogue } from './service.ts';

const service = await openService();
const [catalogue] = await readCatalogue(service);
after(() => service.close());

const [year] = catalogue?.years ?? [];
const protectedPath = `/${catalogue?.exam}/${year?.year}/s1/${year?.shifts[0]?.subjects[0]}.json`;

const statusOf = async (key: string) =>
  (await service.get(protectedPath, { Authorization: `Bearer ${key}` })).status;

async function burst(key: string, length: number): Promise<number[]> {
  return Promise.all(Array.from({ length }, () => statusOf(key)));
}

describe('8. Limits', () => {
  it('Free tier | 2 requests per second', async () => {
    await service.pass(1100);
    const statuses = await burst(service.freeKey, 8);
    assert.deepEqual(statuses.sort(), [200, 200, 429, 429, 429, 429, 429, 429]);
    await service.pass(1100);
    assert.equal(await statusOf(service.freeKey), 200);
  });

  it('Free tier | 1,000 requests per month', {
    skip: !service.local && !process.env['SPENT_API_KEY'] && needs('SPENT_API_KEY'),
  }, async () => {
    const key = process.env['SPENT_API_KEY'] ?? (await createUsedKey(999));
    await service.pass(1100);
    if (service.local) assert.equal(await statusOf(key), 200, 'request 1,000');
    const response = await service.get(protectedPath, { Authorization: `Bearer ${key}` });
    assert.equal(response.status, 429);
    assert.deepEqual(response.body, { error: 'Rate limit exceeded' });
    const retryAt = service.now() + Number(response.headers['retry-after']) * 1000;
    const away = Math.min(...[-2000, 2000].map((error) => new Date(retryAt + error).getUTCDate()));
    assert.equal(away, 1, 'Retry-After is the beginning of the next month');
  });

  it('Exceeding the limit yields 429 with "Rate limit exceeded".', async () => {
    await service.pass(1100);
    const responses = await Promise.all(
      Array.from({ length: 3 }, () =>
        service.get(protectedPath, { Authorization: `Bearer ${service.freeKey}` }),
      ),
    );
    const rejected = responses.find(({ status }) => status === 429);
    assert.deepEqual(rejected?.body, { error: 'Rate limit exceeded' });
    assert.equal(rejected?.headers['retry-after'], '1');
  });

  it('Clients are advised to retry with exponential backoff.', async () => {
    await service.pass(1100);
    await burst(service.freeKey, 2);
    let waited = 250;
    while ((await statusOf(service.freeKey)) === 429) {
      assert.ok(waited <= 2000, 'backoff did not succeed');
      await service.pass(waited);
      waited *= 2;
    }
  });
});

/** Creates a key of an account with this usage in the current month. */
async function createUsedKey(count: number): Promise<string> {
  const { createKey, database, addUsage } = service.local ?? assert.fail();
  const { key } = await createKey('busy', { plan: 'free' });
  const { id } = await database
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', 'busy')
    .executeTakeFirstOrThrow();
  await addUsage(id, count);
  return key;
}
