import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbandonedDraft } from './draft.ts';

/** Removes from a folder the drafts of processes that were killed. */
export async function removeAbandonedDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (isAbandonedDraft(name)) await rm(join(folder, name), { recursive: true, force: true });
}
