import { readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { currentLink, releasesFolder } from '../release/manifest.ts';
import { draftName } from '../write/draft.ts';
import { removeAbandonedDrafts } from './drafts.ts';
import { appendToHistory } from './history.ts';

/** The name of the folder that `current` leads to, whether it stands or not; undefined when there is no such link. */
export async function currentName(distDir: string): Promise<string | undefined> {
  try {
    return basename(await readlink(join(distDir, currentLink)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EINVAL: something else stands in its place, which the switch itself will tell.
    if (code === 'ENOENT' || code === 'EINVAL') return undefined;
    throw error;
  }
}

/**
 * Makes a release the current one, by one rename: a reader sees the one of before or this one. What is switched from
 * and to is written into the history first. Nothing is done where it is the current one already.
 *
 * @param name the release's folder under `releases/`, whole
 * @throws the file system's own error, and `current` is as it was
 */
export async function switchCurrent(distDir: string, name: string, now: Date): Promise<void> {
  await removeAbandonedDrafts(distDir);
  const from = await currentName(distDir);
  if (from === name) return;
  const draft = join(distDir, draftName());
  await symlink(join(releasesFolder, name), draft);
  try {
    await appendToHistory(distDir, { at: now.toISOString(), to: name, from: from ?? null });
    await rename(draft, join(distDir, currentLink));
  } catch (error) {
    await rm(draft, { force: true });
    // Node names the new link; what stands in its way is the place that it was meant for.
    if ((error as NodeJS.ErrnoException).syscall === 'rename')
      throw Object.assign(error as Error, { path: join(distDir, currentLink) });
    throw error;
  }
}
