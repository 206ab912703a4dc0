import type { Database } from '../../../gateway/accounts/store/tables.ts';
import { storedUsage } from '../../../gateway/accounts/usage.ts';
import type { UsageEntry, UsageTotal } from '../../../gateway/limits/store.ts';

type AddedUsage = Pick<UsageEntry, 'account' | 'day'> & Partial<UsageEntry>;

let batches = 0;

/** Adds usage as another gateway with the same database would. What an entry leaves out is empty. */
export function addUsage(
  database: Database,
  added: readonly AddedUsage[],
): Promise<readonly UsageTotal[]> {
  const entries = added.map((entry) => ({
    key: '',
    used: 0,
    rejectedByRate: 0,
    rejectedByQuota: 0,
    ...entry,
  }));
  return storedUsage(database).add({
    id: `batch ${batches++} of process ${process.pid}`,
    at: Date.now(),
    entries,
  });
}
