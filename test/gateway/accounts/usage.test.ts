import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openDatabase } from '../../../gateway/accounts/store/store.ts';
import { storedUsage } from '../../../gateway/accounts/usage.ts';
import { addUsage } from './add-usage.ts';
import { engine } from './engines.ts';
import { openStore } from './open-store.ts';

describe(`Usage, with ${engine.name}`, async () => {
  const { database, testDatabase, close } = await openStore(engine);
  after(close);
  const usage = storedUsage(database);

  it('is counted by month, and by day, key and outcome', async () => {
    const totals = await addUsage(database, [
      { account: 'a', day: '2026-11-30', key: 'one', used: 2, rejectedByRate: 4 },
      { account: 'a', day: '2026-11-30', key: 'two', rejectedByQuota: 1 },
      { account: 'a', day: '2026-12-01', key: 'one', used: 3 },
      { account: 'b', day: '2026-11-30', key: 'three', used: 5 },
    ]);
    assert.deepEqual(totals, [
      { account: 'a', month: '2026-11', used: 2 },
      { account: 'a', month: '2026-11', used: 2 },
      { account: 'a', month: '2026-12', used: 3 },
      { account: 'b', month: '2026-11', used: 5 },
    ]);
    for (const used of [1, 5])
      await addUsage(database, [{ account: 'a', day: '2026-11-02', key: 'one', used }]);
    assert.equal(await usage.read('a', '2026-11'), 8);
    assert.deepEqual(await usage.readMonth('a', '2026-11'), {
      days: [
        { day: '2026-11-02', used: 6, rejectedByRate: 0, rejectedByQuota: 0 },
        { day: '2026-11-30', used: 2, rejectedByRate: 4, rejectedByQuota: 1 },
      ],
      keys: [
        { key: 'one', used: 8, rejectedByRate: 4, rejectedByQuota: 0 },
        { key: 'two', used: 0, rejectedByRate: 0, rejectedByQuota: 1 },
      ],
      hasMore: false,
    });
    assert.equal(await usage.read('c', '2026-11'), 0);
    assert.deepEqual(await usage.readMonth('c', '2026-11'), { days: [], keys: [], hasMore: false });
  });

  it('loses nothing when several processes count the same accounts concurrently', async () => {
    const accounts = Array.from({ length: 10 }, (_, index) => `shared-${index}`);
    const connections = [
      await openDatabase(testDatabase.location),
      await openDatabase(testDatabase.location),
    ];
    await Promise.all(
      connections.map(async (connection, index) => {
        const ordered = index === 0 ? accounts : accounts.toReversed();
        const entries = ordered.flatMap((account) =>
          ['one', 'two'].map((key) => ({ account, day: '2026-11-21', key, used: 1 })),
        );
        for (let round = 0; round < 5; round += 1) await addUsage(connection, entries);
        await connection.destroy();
      }),
    );
    for (const account of accounts) assert.equal(await usage.read(account, '2026-11'), 20);
  });
});
