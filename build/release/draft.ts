import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder, draftName, removeAbandonedDrafts, writeWithPath } from './files.ts';
import { DamagedRelease, releasesFolder } from './manifest.ts';
import { readVerifiedManifest } from './verify.ts';

/** A release that is being written, in its own hidden folder, which is created with the first file. */
export class Draft {
  readonly folder: string;
  readonly #releases: string;
  /** The folders around it that were created for it, the inner one first. */
  readonly #created: readonly string[];
  readonly #folders = new Set<string>();

  private constructor(releases: string, created: readonly string[]) {
    this.#releases = releases;
    this.#created = created;
    this.folder = join(releases, draftName());
  }

  /** Creates the folder of the releases and removes the drafts of builds that were killed. */
  static async open(distDir: string): Promise<Draft> {
    const releases = join(distDir, releasesFolder);
    const created = [releases, distDir].filter((folder) => !existsSync(folder));
    await createFolder(releases);
    await removeAbandonedDrafts(releases);
    return new Draft(releases, created);
  }

  /** @param file path inside the release */
  has(file: string): boolean {
    return existsSync(join(this.folder, file));
  }

  /** @throws the file system's own error, with the path of the file */
  write(file: string, content: Buffer): void {
    writeWithPath(this.place(file), content);
  }

  /**
   * Adds a file of another release: as a hard link, or as a copy where the file system has none.
   *
   * @param as its path in this one
   */
  link(release: string, file: string, as: string = file): void {
    const from = `${release}/${file}`;
    const to = this.place(as);
    try {
      linkSync(from, to);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') {
        rmSync(to);
        this.link(release, file, as);
      } else if (noLinkCodes.has(code ?? '')) copyFileSync(from, to);
      else throw error;
    }
  }

  /**
   * Gives the draft its final name. Equal content has an equal id: if that release exists and is undamaged, it is used;
   * if it is damaged, the new one gets another name.
   *
   * @returns the name
   */
  async settle(id: string): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      const name = attempt === 1 ? id : `${id}-${attempt}`;
      try {
        renameSync(this.folder, join(this.#releases, name));
        return name;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
      }
      const found = await readVerifiedManifest(join(this.#releases, name)).catch((error) => {
        if (!(error instanceof DamagedRelease)) throw error;
      });
      if (found) return name;
    }
  }

  /** Removes everything that `settle` has not named. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
    for (const folder of this.#created) {
      if (readdirSync(folder).length > 0) return;
      rmdirSync(folder);
    }
  }

  /** The path of a file inside the release, for whoever writes it. Its folder exists. */
  place(file: string): string {
    const path = `${this.folder}/${file}`;
    const folder = dirname(path);
    if (!this.#folders.has(folder)) {
      mkdirSync(folder, { recursive: true });
      this.#folders.add(folder);
    }
    return path;
  }
}

/** Error codes of file systems without hard links, with no more of them, or of links across file systems. */
const noLinkCodes = new Set(['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
