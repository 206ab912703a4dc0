import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFolder, draftName, inParallel, removeAbandonedDrafts } from './files.ts';
import { objectPath, objectsFolder, verifyFile } from './objects.ts';
import {
  currentLink,
  DamagedRelease,
  publicFolder,
  publicPaths,
  type Root,
  releasesFolder,
  rootFile,
} from './root.ts';

/** A release that is being made: a hidden folder, which is created with the first file. */
export interface Draft {
  /** Work files of the build, which are removed in the end. */
  readonly scratch: string;
  /**
   * Adds the public files of a root, as hard links to their objects where the file system has them, and the root. Then
   * the draft gets its final name: the id of the release. If that release exists and is whole, it is used; a damaged one
   * stays, and the new one gets another name.
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
 *
 * @param keepsObjects whether what was stored stays if it is not named, for another attempt
 */
export async function openDraft(distDir: string, keepsObjects = false): Promise<Draft> {
  const releases = join(distDir, releasesFolder);
  const objects = join(distDir, objectsFolder);
  /** The folders that were created for it, the inner ones first. */
  const created = [releases, objects, distDir].filter((folder) => !existsSync(folder));
  for (const folder of [releases, objects]) {
    await createFolder(folder);
    await removeAbandonedDrafts(folder);
  }
  const folder = join(releases, draftName());
  const scratch = join(releases, draftName());
  await createFolder(scratch);
  return {
    scratch,

    async settle(root, text) {
      addPublicFiles(distDir, folder, root);
      await writeFile(join(folder, rootFile), text);
      for (let attempt = 1; ; attempt += 1) {
        const name = attempt === 1 ? root.id : `${root.id}-${attempt}`;
        try {
          await rename(folder, join(releases, name));
          return name;
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
        }
        if (await isWhole(join(releases, name), root, text)) return name;
      }
    },

    async remove() {
      await rm(folder, { recursive: true, force: true });
      await rm(scratch, { recursive: true, force: true });
      // Another build may be under way, which uses what is stored.
      const isUsed = existsSync(join(distDir, currentLink)) || readdirSync(releases).length > 0;
      if (keepsObjects || isUsed) return;
      for (const around of created) {
        if (around === objects) await rm(objects, { recursive: true, force: true });
        else if (readdirSync(around).length === 0) rmdirSync(around);
      }
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

/** Error codes of file systems without hard links, with no more of them, or of links across file systems. */
const noLinkCodes = new Set(['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!noLinkCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    copyFileSync(from, to);
  }
}

/** Files verified at a time. */
const parallelReads = 8;

/** Whether a release has this root, and its public files are undamaged. */
async function isWhole(folder: string, root: Root, text: string): Promise<boolean> {
  if ((await readFile(join(folder, rootFile), 'utf8').catch(() => '')) !== text) return false;
  const files = publicPaths(root);
  try {
    await inParallel(files, parallelReads, ([file, object]) =>
      verifyFile(join(folder, publicFolder), file, object),
    );
    return true;
  } catch (error) {
    if (error instanceof DamagedRelease) return false;
    throw error;
  }
}
