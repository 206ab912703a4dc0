import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { LRUCache } from 'lru-cache';
import { RedisConnection } from '../../../gateway/limits/redis/connection.ts';
import { redisLedger, redisUsage } from '../../../gateway/limits/redis/redis-usage.ts';
import { scripts } from '../../../gateway/limits/redis/scripts.ts';
import { noRedis, startRedis } from '../../gateway/limits/redis-server.ts';

const [november, december] = ['2026-11', '2026-12'];
const daySeconds = 86_400;

describe('A batch of counts merged into Redis', { skip: noRedis }, async () => {
  if (noRedis) return;
  const server = await startRedis();
  const connection = new RedisConnection(async () => server.url, 20_000);
  await connection.open((ask) => ask(['PING']), { connected() {}, disconnected() {} });
  const usage = redisUsage(connection.ask);
  after(async () => {
    await connection.close();
    await server.remove();
  });

  /** The ledger of a replica that has seen no counts yet. */
  const open = () => redisLedger(connection.ask, scripts.add, new LRUCache({ max: 100 }));
  const batch = (
    id: string,
    ...counts: readonly (readonly [account: string, day: string, count: number])[]
  ) => ({
    id,
    at: 0,
    entries: counts.map(([account, day, used]) => {
      return { account, day, key: 'one', used, rejectedByRate: 2 * used, rejectedByQuota: 0 };
    }),
  });

  it('is counted once, in its month and on its day, however often it is sent', async () => {
    const ledger = open();
    const first = batch(
      'first',
      ['school', '2026-11-20', 3],
      ['school', '2026-11-21', 2],
      ['other', '2026-12-01', 1],
    );
    const totals = (...used: readonly number[]) => [
      { account: 'school', month: november, used: used[0] },
      { account: 'school', month: november, used: used[1] },
      { account: 'other', month: december, used: used[2] },
    ];
    assert.deepEqual(await ledger.add(first), totals(3, 5, 1));
    assert.deepEqual(await ledger.add(first), totals(5, 5, 1));
    assert.deepEqual(await open().add(first), totals(5, 5, 1));
    assert.deepEqual(await ledger.add({ ...first, id: 'second' }), totals(8, 10, 2));
    const counts = { key: 'one', rejectedByQuota: 0 };
    assert.deepEqual(await usage.readKeys('school', november), [
      { day: '2026-11-20', ...counts, used: 6, rejectedByRate: 12 },
      { day: '2026-11-21', ...counts, used: 4, rejectedByRate: 8 },
    ]);
    assert.deepEqual(await usage.readKeys('other', december), [
      { day: '2026-12-01', ...counts, used: 2, rejectedByRate: 4 },
    ]);
  });

  it('returns the totals in the order of its entries, for any number of accounts', async () => {
    const accounts = Array.from({ length: 1200 }, (_, index) => `many-${index}`);
    const totals = await open().add(
      batch('many', ...accounts.map((account) => [account, '2026-11-20', 1] as const)),
    );
    assert.deepEqual(
      totals,
      accounts.map((account) => ({ account, month: november, used: 1 })),
    );
  });

  it('is recognized for a week, and its month is kept for more than a year', async () => {
    await open().add(batch('aging', ['kept', '2026-11-20', 1]));
    const age = async (name: string) => Number(await server.ask('TTL', name));
    const [mark, month] = [
      await age('pastpaper:{kept}:2026-11-20:aging:one'),
      await age('pastpaper:{kept}:2026-11'),
    ];
    assert.ok(mark > 6 * daySeconds && mark <= 7 * daySeconds, `${mark}`);
    assert.ok(month > 366 * daySeconds && month <= 400 * daySeconds, `${month}`);
  });

  it('restores counts that Redis has lost, as far as the replica has seen them', async () => {
    const ledger = open();
    await ledger.add(batch('before', ['lost', '2026-11-20', 7]));
    await server.ask('DEL', `pastpaper:{lost}:${november}`);
    assert.equal(await ledger.read('lost', november), 7);
    assert.equal(await open().read('lost', november), 0);
    const [total] = await ledger.add(batch('after', ['lost', '2026-11-20', 2]));
    assert.equal(total?.used, 9);
    assert.equal(await open().read('lost', november), 9);
  });

  it('adds to the counts of other replicas, or to the last seen count while Redis is down', async () => {
    const [one, two] = [open(), open()];
    await one.add(batch('one', ['both', '2026-11-20', 4]));
    await two.add(batch('two', ['both', '2026-11-20', 5]));
    assert.equal(await one.read('both', november), 9);
    await connection.close();
    assert.deepEqual(
      await Promise.all([one, two].map((ledger) => ledger.read('both', november))),
      [4, 9],
      'while Redis is down',
    );
    assert.equal(await one.read('unseen', november), 0);
  });
});
