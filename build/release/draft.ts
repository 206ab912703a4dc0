import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFolder, draftName, removeAbandonedDrafts } from './files.ts';
import { objectPath, objectsFolder } from './objects.ts';
import { publicFolder, publicPaths, type Root, releasesFolder, rootFile } from './root.ts';

/** A release that is being made: a hidden folder, which is created with the first file. */
export interface Draft {
  /** Work files of the build, which are removed in the end. */
  readonly scratch: string;
  /**
   * Adds the public files of a root, as hard links to their objects where the file system has them, and the root. Then
   * the draft gets its final name: the id of the release. If that release exists, each of its files is replaced by the
   * same one, since it may be damaged.
   *
   * @param text of the root
   * @returns the name
   * @throws the file system's own error
   */
  readonly settle: (root: Root, text: string) => Promise<string>;
  /** Removes everything that `settle` has not named. */
  readonly remove: () => Promise<void>;
}

/**
 * Opens a draft. Creates the folders of releases and objects, and removes the drafts of processes that were killed.
 * While it is open, no object is swept.
 */
export async function openDraft(distDir: string): Promise<Draft> {
  const releases = join(distDir, releasesFolder);
  for (const folder of [releases, join(distDir, objectsFolder)]) {
    await createFolder(folder);
    await removeAbandonedDrafts(folder);
  }
  const folder = join(releases, draftName());
  const scratch = join(releases, draftName());
  await createFolder(scratch);
  return {
    scratch,

    async settle(root, text) {
      const files = Array.from(publicPaths(root).keys(), (file) => join(publicFolder, file));
      const final = join(releases, root.id);
      addPublicFiles(distDir, folder, root);
      writeFileSync(join(folder, rootFile), text);
      // Only a folder is a release.
      if (lstatSync(final, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(final);
      try {
        await rename(folder, final);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
        for (const file of [...files, rootFile]) {
          const path = join(final, file);
          mkdirSync(dirname(path), { recursive: true });
          if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
            rmSync(path, { recursive: true });
          renameSync(join(folder, file), path);
        }
      }
      return root.id;
    },

    async remove() {
      await rm(folder, { recursive: true, force: true });
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

function addPublicFiles(distDir: string, folder: string, root: Root): void {
  const created = new Set<string>();
  mkdirSync(folder, { recursive: true });
  for (const [file, { sha256 }] of publicPaths(root)) {
    const path = join(folder, publicFolder, file);
    const inner = dirname(path);
    if (!created.has(inner)) {
      mkdirSync(inner, { recursive: true });
      created.add(inner);
    }
    linkOrCopy(join(distDir, objectPath(sha256)), path);
  }
}

/** Not every file system has hard links, or any number of them. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // A copy over a link would change the object.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    copyFileSync(from, to);
  }
}
