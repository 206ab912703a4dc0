/** Adds usage of two keys of each of twenty accounts, ten times. A test runs several of these processes concurrently. */

import { openDatabase } from '../../../gateway/auth/store/store.ts';
import { databaseLocation } from '../../../gateway/config-values.ts';
import { addUsage } from './add-usage.ts';

const location = databaseLocation(process.env['DATABASE_URL'] ?? '');
const database = await openDatabase(location, 5000);
const accounts = Array.from({ length: 20 }, (_, index) => `shared-${index}`);
if (process.argv[2] === 'backwards') accounts.reverse();
for (let round = 0; round < 10; round += 1) {
  await addUsage(
    database,
    accounts.flatMap((account) =>
      ['one', 'two'].map((key) => ({ account, day: '2026-11-21', key, used: 1 })),
    ),
  );
}
await database.destroy();
