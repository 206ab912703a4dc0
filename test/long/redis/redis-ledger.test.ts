import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { LRUCache } from 'lru-cache';
import { openServer } from '../../../gateway/limits/redis/client.ts';
import { redisLedger, redisUsage } from '../../../gateway/limits/redis/redis-usage.ts';
import { scripts } from '../../../gateway/limits/redis/scripts.ts';
import { startRedis } from '../../gateway/limits/redis-server.ts';

const [november, december] = ['2026-11', '2026-12'];
const daySeconds = 86_400;

describe('A batch of counts merged into Redis', async () => {
  const server = await startRedis();
  const connection = await openServer(server.url, 20_000);
  const usage = redisUsage(connection.ask);
  after(async () => {
    connection.close();
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
    const totals = (one: number, two: number, other: number) => [
      { account: 'school', month: november, used: one },
      { account: 'school', month: november, used: two },
      { account: 'other', month: december, used: other },
    ];
    assert.deepEqual(await ledger.add(first), totals(3, 5, 1));
    assert.deepEqual(await ledger.add(first), totals(5, 5, 1));
    assert.deepEqual(await open().add(first), totals(5, 5, 1));
    assert.deepEqual(await ledger.add({ ...first, id: 'second' }), totals(8, 10, 2));
    const counts = { rejectedByQuota: 0 };
    assert.deepEqual(await usage.readMonth('school', november), {
      days: [
        { day: '2026-11-20', ...counts, used: 6, rejectedByRate: 12 },
        { day: '2026-11-21', ...counts, used: 4, rejectedByRate: 8 },
      ],
      keys: [{ key: 'one', ...counts, used: 10, rejectedByRate: 20 }],
      hasMore: false,
    });
    const { days, keys } = await usage.readMonth('other', december);
    assert.deepEqual(
      [days, keys.map(({ used }) => used)],
      [[{ day: '2026-12-01', ...counts, used: 2, rejectedByRate: 4 }], [2]],
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

  it('adds to the counts of other replicas, or to the last seen count while Redis is down', async () => {
    const [one, two] = [open(), open()];
    await one.add(batch('one', ['both', '2026-11-20', 4]));
    await two.add(batch('two', ['both', '2026-11-20', 5]));
    assert.equal(await one.read('both', november), 9);
    connection.close();
    assert.deepEqual(
      await Promise.all([one, two].map((ledger) => ledger.read('both', november))),
      [4, 9],
      'while Redis is down',
    );
    assert.equal(await one.read('unseen', november), 0);
  });
});
