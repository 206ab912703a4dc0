import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder, draftName, removeAbandonedDrafts, writeWithPath } from './files.ts';
import { DamagedRelease, releasesFolder } from './manifest.ts';
import { readVerifiedManifest } from './verify.ts';

export type Draft = Awaited<ReturnType<typeof openDraft>>;

/**
 * A release that is being written, in its own hidden folder, which is created with the first file. Opening it creates
 * the folder of the releases and removes the drafts of builds that were killed.
 */
export async function openDraft(distDir: string) {
  const releases = join(distDir, releasesFolder);
  /** The folders around it that were created for it, the inner one first. */
  const created = [releases, distDir].filter((around) => !existsSync(around));
  await createFolder(releases);
  await removeAbandonedDrafts(releases);
  const folder = join(releases, draftName());
  const folders = new Set<string>();

  /** The path of a file inside the release, for whoever writes it. Its folder exists. */
  function place(file: string): string {
    const path = `${folder}/${file}`;
    const inner = dirname(path);
    if (!folders.has(inner)) {
      mkdirSync(inner, { recursive: true });
      folders.add(inner);
    }
    return path;
  }

  /**
   * Adds a file of another release: as a hard link, or as a copy where the file system has none.
   *
   * @param as its path in this one
   */
  function link(release: string, file: string, as: string = file): void {
    const from = `${release}/${file}`;
    const to = place(as);
    try {
      linkSync(from, to);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') {
        rmSync(to);
        link(release, file, as);
      } else if (noLinkCodes.has(code ?? '')) copyFileSync(from, to);
      else throw error;
    }
  }

  return {
    folder,
    place,
    link,

    /** @param file path inside the release */
    has: (file: string): boolean => existsSync(join(folder, file)),

    /** @throws the file system's own error, with the path of the file */
    write: (file: string, content: Buffer): void => writeWithPath(place(file), content),

    /**
     * Gives the draft its final name. Equal content has an equal id: if that release exists and is undamaged, it is
     * used; if it is damaged, the new one gets another name.
     *
     * @returns the name
     */
    async settle(id: string): Promise<string> {
      for (let attempt = 1; ; attempt += 1) {
        const name = attempt === 1 ? id : `${id}-${attempt}`;
        try {
          renameSync(folder, join(releases, name));
          return name;
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
        }
        const found = await readVerifiedManifest(join(releases, name)).catch((error) => {
          if (!(error instanceof DamagedRelease)) throw error;
        });
        if (found) return name;
      }
    },

    /** Removes everything that `settle` has not named. */
    remove(): void {
      rmSync(folder, { recursive: true, force: true });
      for (const around of created) {
        if (readdirSync(around).length > 0) return;
        rmdirSync(around);
      }
    },
  };
}

/** Error codes of file systems without hard links, with no more of them, or of links across file systems. */
const noLinkCodes = new Set(['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
