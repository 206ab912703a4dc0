import { randomUUID } from 'node:crypto';
import type { Database } from '../../../gateway/auth/store/tables.ts';
import { StoredUsage } from '../../../gateway/auth/usage.ts';
import type { UsageEntry, UsageTotal } from '../../../gateway/limits/store.ts';

/** Adds usage as another gateway with the same database would. */
export function addUsage(database: Database, entries: readonly UsageEntry[]): Promise<readonly UsageTotal[]> {
  return new StoredUsage(database).add({ id: randomUUID(), at: Date.now(), entries });
}
