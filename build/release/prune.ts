import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { draftName } from './draft.ts';
import { removeAbandonedDrafts } from './drafts.ts';
import { lastCurrent } from './history.ts';
import { releasesFolder } from './manifest.ts';
import { byRecency, readStock, type Stock } from './releases.ts';

/**
 * Milliseconds for which a release stays that was current, or was written, a moment ago: a gateway may still answer
 * from it, and a build may be about to switch to it.
 */
export const grace = 10 * 60_000;

/**
 * Removes all releases but the newest, and what killed builds have left. The current one stays, and so does any that
 * was current or was written within the grace. A release is first renamed to a draft: half of one never stands under
 * the name of a whole one, and what a killed process leaves is swept like any draft.
 *
 * @param keep how many stay, the current one among them; those that were current last
 * @returns the names of those that were removed
 * @throws the file system's own error
 */
export async function prune(distDir: string, keep: number, now: Date): Promise<string[]> {
  const releases = join(distDir, releasesFolder);
  const stock = await readStock(distDir);
  const removed: string[] = [];
  for (const name of byRecency(stock).slice(keep)) {
    const last = await lastUse(distDir, stock, name);
    if (name === stock.current || last === undefined || now.getTime() - last < grace) continue;
    if (await remove(distDir, name, stock)) removed.push(name);
  }
  if (stock.names.length > 0) await removeAbandonedDrafts(releases);
  return removed;
}

/** Milliseconds since 1970; undefined when the release has gone meanwhile. */
async function lastUse(distDir: string, { history }: Stock, name: string): Promise<number | undefined> {
  const entry = await stat(join(distDir, releasesFolder, name)).catch(() => undefined);
  return entry && Math.max(entry.ctimeMs, Date.parse(lastCurrent(history, name)?.at ?? '') || 0);
}

/** @returns false when another was faster, or the release has become current after all */
async function remove(distDir: string, name: string, decidedBy: Stock): Promise<boolean> {
  const folder = join(distDir, releasesFolder, name);
  const draft = join(distDir, releasesFolder, draftName());
  try {
    await rename(folder, draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  // Who switches to a release says so in the history first.
  const { current, history } = await readStock(distDir);
  const isWanted = current === name || history.slice(decidedBy.history.length).some(({ to }) => to === name);
  if (isWanted && (await isPutBack(draft, folder))) return false;
  await rm(draft, { recursive: true, force: true });
  return !isWanted;
}

/** Not where another release has taken the name meanwhile. */
function isPutBack(draft: string, folder: string): Promise<boolean> {
  return rename(draft, folder).then(
    () => true,
    () => false,
  );
}
