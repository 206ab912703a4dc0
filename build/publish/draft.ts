import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder, draftName, removeAbandonedDrafts } from '../release/drafts.ts';
import { DamagedRelease, releasesFolder } from '../release/manifest.ts';
import { readVerifiedManifest } from '../release/verify.ts';

/** A release that is being written, in a folder of its own that no one reads. It is made with the first file. */
export class Draft {
  readonly folder: string;
  readonly #releases: string;
  /** Those around it that were made for it, the inner one first. */
  readonly #made: readonly string[];
  readonly #folders = new Set<string>();

  private constructor(releases: string, made: readonly string[]) {
    this.#releases = releases;
    this.#made = made;
    this.folder = join(releases, draftName());
  }

  /** Makes the folder of the releases, and sweeps drafts of builds that were killed. */
  static async open(distDir: string): Promise<Draft> {
    const releases = join(distDir, releasesFolder);
    const made = [releases, distDir].filter((folder) => !existsSync(folder));
    await createFolder(releases);
    await removeAbandonedDrafts(releases);
    return new Draft(releases, made);
  }

  /** @param file path inside the release */
  has(file: string): boolean {
    return existsSync(join(this.folder, file));
  }

  /** @throws the file system's own error, with the path of the file */
  write(file: string, content: Buffer | Iterable<string>): void {
    const path = this.#place(file);
    try {
      if (Buffer.isBuffer(content)) writeFileSync(path, content);
      else writePieces(path, content);
    } catch (error) {
      // Node names no file when the write itself fails: a full disk, a file size limit.
      throw Object.assign(error as Error, { path });
    }
  }

  /** Takes over a file of another release, as the same file wherever the file system has hard links. */
  take(release: string, file: string): void {
    const [from, to] = [join(release, file), this.#place(file)];
    try {
      linkSync(from, to);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') {
        rmSync(to);
        this.take(release, file);
      } else if (unlinkable.has(code ?? '')) copyFileSync(from, to);
      else throw error;
    }
  }

  /**
   * Gives the draft its lasting name. The same content has the same id: a release that stands already is
   * kept, unless it has been damaged since, in which case the new one takes a name beside it.
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
      if (await isWhole(join(this.#releases, name))) return name;
    }
  }

  /** Nothing is left of it but what `settle` has named. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
    for (const folder of this.#made) {
      if (readdirSync(folder).length > 0) return;
      rmdirSync(folder);
    }
  }

  #place(file: string): string {
    const path = join(this.folder, file);
    const folder = dirname(path);
    if (!this.#folders.has(folder)) {
      mkdirSync(folder, { recursive: true });
      this.#folders.add(folder);
    }
    return path;
  }
}

function writePieces(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, 'w');
  try {
    for (const piece of pieces) writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
}

/** What file systems say that have no hard links, no more of them, or none across their border. */
const unlinkable = new Set(['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

async function isWhole(folder: string): Promise<boolean> {
  try {
    await readVerifiedManifest(folder);
    return true;
  } catch (error) {
    if (error instanceof DamagedRelease) return false;
    throw error;
  }
}
