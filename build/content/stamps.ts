import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** A file that was written less than this many milliseconds ago may be written again without a visible change. */
const settlingTime = 2000;

/**
 * Stamps of all files of a folder: what the file system says about each (path, size, inode, times of change). A file that
 * was written since has another stamp. Links are not followed; hidden files are ignored.
 */
export class FileStamps {
  /** Of everything in the folder; undefined if a folder cannot be read or something was changed just now. */
  readonly digest: string | undefined;
  /** By path inside the folder: settled plain files. */
  readonly #stamps: ReadonlyMap<string, string>;

  private constructor(digest: string | undefined, stamps: ReadonlyMap<string, string>) {
    this.digest = digest;
    this.#stamps = stamps;
  }

  /** @param now milliseconds since 1970 */
  static of(folder: string, now: number): FileStamps {
    const hash = createHash('sha256');
    const stamps = new Map<string, string>();
    const isSettled = scan('');
    return new FileStamps(isSettled ? hash.digest('hex') : undefined, stamps);

    function scan(inside: string): boolean {
      let areSettled = true;
      try {
        for (const { name } of readdirSync(`${folder}/${inside}`, { withFileTypes: true })) {
          if (/^\./.test(name)) continue;
          const path = `${inside}${name}`;
          const stat = lstatSync(`${folder}/${path}`);
          const stamp = stampOf(path, stat);
          hash.update(`${stat.mode} ${stamp}`);
          const settled = isOlder(stat, now - settlingTime);
          if (settled && stat.isFile()) stamps.set(path, stamp);
          if (!settled || (stat.isDirectory() && !scan(`${path}/`))) areSettled = false;
        }
      } catch {
        return false;
      }
      return areSettled;
    }
  }

  /** A digest of these files' stamps; undefined if one is not a plain file or was changed just now. */
  of(paths: readonly string[]): string | undefined {
    const hash = createHash('sha256');
    for (const path of paths) {
      const stamp = this.#stamps.get(path);
      if (stamp === undefined) return undefined;
      hash.update(stamp);
    }
    return hash.digest('hex');
  }
}

/** The same for a few files, without scanning a folder. @param now milliseconds since 1970 */
export function stampOfFiles(folder: string, paths: readonly string[], now: number): string | undefined {
  const hash = createHash('sha256');
  for (const path of paths) {
    const stat = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (!stat?.isFile() || !isOlder(stat, now - settlingTime)) return undefined;
    hash.update(stampOf(path, stat));
  }
  return hash.digest('hex');
}

function stampOf(path: string, { size, ino, dev, mtimeMs, ctimeMs }: Stats): string {
  return `${path}\n${size} ${ino} ${dev} ${mtimeMs} ${ctimeMs}\n`;
}

function isOlder({ mtimeMs, ctimeMs }: Stats, moment: number): boolean {
  return ctimeMs <= moment && mtimeMs <= moment;
}
