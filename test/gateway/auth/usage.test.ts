import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { StoredUsage } from '../../../gateway/auth/usage.ts';
import { startModule } from '../started-process.ts';
import { addUsage } from './add-usage.ts';
import { engines } from './engines.ts';
import { openStore } from './open-store.ts';

for (const engine of engines) {
  describe(`Usage, with ${engine.name}`, { skip: engine.skip }, async () => {
    if (engine.skip) return;
    const { database, testDatabase, close } = await openStore(engine);
    after(close);
    const usage = new StoredUsage(database);

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
      assert.deepEqual(await usage.readKeys('a', '2026-11'), [
        { day: '2026-11-02', key: 'one', used: 6, rejectedByRate: 0, rejectedByQuota: 0 },
        { day: '2026-11-30', key: 'one', used: 2, rejectedByRate: 4, rejectedByQuota: 0 },
        { day: '2026-11-30', key: 'two', used: 0, rejectedByRate: 0, rejectedByQuota: 1 },
      ]);
      assert.deepEqual([await usage.read('c', '2026-11'), await usage.readKeys('c', '2026-11')], [0, []]);
    });

    it('of an earlier version has no key', async () => {
      await database
        .insertInto('dailyUsage')
        .values({ account: 'old', day: '2026-11-07', used: 9 })
        .execute();
      await addUsage(database, [{ account: 'old', day: '2026-11-07', key: 'one', used: 1 }]);
      assert.deepEqual(await usage.readKeys('old', '2026-11'), [
        { day: '2026-11-07', key: '', used: 9, rejectedByRate: 0, rejectedByQuota: 0 },
        { day: '2026-11-07', key: 'one', used: 1, rejectedByRate: 0, rejectedByQuota: 0 },
      ]);
    });

    it('loses nothing when several processes count the same accounts concurrently', async () => {
      const module = 'test/gateway/auth/counting-process.ts';
      const settings = { DATABASE_URL: testDatabase.url };
      const ended = await Promise.all([
        startModule(module, settings).ended,
        startModule(module, settings, ['backwards']).ended,
      ]);
      assert.deepEqual(
        ended,
        ended.map(() => ({ status: 0, stdout: '', stderr: '' })),
      );
      for (let index = 0; index < 20; index += 1) {
        assert.equal(await usage.read(`shared-${index}`, '2026-11'), 40);
      }
    });
  });
}
