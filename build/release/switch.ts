import { readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { changedPublicUrls, changedUrlsFile } from './changed-urls.ts';
import { currentManifest } from './current-manifest.ts';
import { draftName } from './draft.ts';
import { removeAbandonedDrafts } from './drafts.ts';
import { appendToHistory } from './history.ts';
import { currentLink, type Manifest, releasesFolder } from './manifest.ts';
import { writeWhole } from './write-whole.ts';

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

/** A release that stands whole under `releases/`. */
export interface StandingRelease {
  /** Its folder. */
  readonly name: string;
  readonly manifest: Manifest;
}

/**
 * Makes a release the current one, by one rename: a reader sees the one of before or this one. What is switched from
 * and to is written into the history first, and which public URLs change with it; none where it is current already.
 *
 * @param known a release whose manifest need not be read again, should it be the one of before
 * @returns how many public URLs change
 * @throws the file system's own error, and `current` is as it was
 */
export async function switchCurrent(
  distDir: string,
  { name, manifest }: StandingRelease,
  now: Date,
  known?: StandingRelease,
): Promise<number> {
  await removeAbandonedDrafts(distDir);
  const from = await currentName(distDir);
  const manifestBefore = () => (known?.name === from ? known?.manifest : currentManifest(distDir));
  const changed = from === name ? [] : changedPublicUrls(await manifestBefore(), manifest);
  // Before the switch: a list that says too much costs a cache its warmth, one that is missing its truth.
  await writeWhole(join(distDir, changedUrlsFile), changed.map((url) => `${url}\n`).join(''));
  if (from === name) return 0;
  const draft = join(distDir, draftName());
  await symlink(join(releasesFolder, name), draft);
  try {
    await appendToHistory(distDir, { at: now.toISOString(), to: name, from: from ?? null });
    await rename(draft, join(distDir, currentLink));
    return changed.length;
  } catch (error) {
    await rm(draft, { force: true });
    // Node names the new link; what stands in its way is the place that it was meant for.
    if ((error as NodeJS.ErrnoException).syscall === 'rename')
      throw Object.assign(error as Error, { path: join(distDir, currentLink) });
    throw error;
  }
}
