import { randomUUID } from 'node:crypto';
import type { Database } from '../../../gateway/auth/store/tables.ts';
import { StoredUsage } from '../../../gateway/auth/usage.ts';
import type { UsageEntry, UsageTotal } from '../../../gateway/limits/store.ts';

/** Counts as another gateway would, that uses the same database. */
export function addUsage(database: Database, entries: readonly UsageEntry[]): Promise<readonly UsageTotal[]> {
  return new StoredUsage(database).add({ id: randomUUID(), at: Date.now(), entries });
}
