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
