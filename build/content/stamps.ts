import { createHash, type Hash } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** A file that was written less than this many milliseconds ago may be written again without a visible change. */
const settlingTime = 2000;

/**
 * Stamps of all files of a folder: what the file system says about each (path, size, inode, times of change). A file that
 * was written since has another stamp. Links are not followed; hidden files are ignored.
 */
export class FileStamps {
  /** Covers everything in the folder; undefined if a folder cannot be read or something was changed just now. */
  readonly digest: string | undefined;
  /** By path inside the folder: settled plain files. */
  readonly #stamps = new Map<string, string>();
  /** By path inside the folder: what its folders contain. */
  readonly #listings = new Map<string, readonly Dirent[]>();

  /** @param now milliseconds since 1970 */
  constructor(folder: string, now: number) {
    const hash = createHash('sha256');
    const isSettled = this.#scan(folder, '', now - settlingTime, hash);
    this.digest = isSettled ? hash.digest('hex') : undefined;
  }

  /** Returns false if something could not be read or was changed after a moment. */
  #scan(folder: string, inside: string, moment: number, hash: Hash): boolean {
    let isSettled = true;
    try {
      const entries = readdirSync(join(folder, inside), { withFileTypes: true });
      this.#listings.set(inside, entries);
      for (const entry of entries) {
        if (/^\./.test(entry.name)) continue;
        const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
        if (entry.isDirectory()) {
          hash.update(`${path}/\n`);
          if (!this.#scan(folder, path, moment, hash)) isSettled = false;
          continue;
        }
        const stat = lstatSync(`${folder}/${path}`);
        const stamp = stampOf(path, stat);
        hash.update(`${stat.mode} ${stamp}`);
        if (stat.ctimeMs > moment || stat.mtimeMs > moment) isSettled = false;
        else if (stat.isFile()) this.#stamps.set(path, stamp);
      }
    } catch {
      return false;
    }
    return isSettled;
  }

  /** What a folder contains; undefined if it could not be read. @param path inside the scanned folder */
  listing(path: string): readonly Dirent[] | undefined {
    return this.#listings.get(path);
  }

  /** A digest of these files' stamps; undefined if one is not a plain file or was changed just now. */
  of(paths: readonly string[]): string | undefined {
    const stamps = paths.map((path) => this.#stamps.get(path));
    return stamps.includes(undefined)
      ? undefined
      : createHash('sha256').update(stamps.join('')).digest('hex');
  }
}

function stampOf(path: string, { size, ino, dev, mtimeMs, ctimeMs }: Stats): string {
  return `${path}\n${size} ${ino} ${dev} ${mtimeMs} ${ctimeMs}\n`;
}
