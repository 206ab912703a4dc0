import { createHash, type Hash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A file that is written within so many milliseconds of a look at it may be written again unnoticed. */
export const young = 2000;

/**
 * SHA-256 over what the file system says of files: path, size, inode, and when content and inode last changed,
 * to the nanosecond. Files that were written since have another.
 *
 * @param now milliseconds since 1970
 * @returns undefined when one of them is no plain file, or was changed just now
 */
export function signatureOf(folder: string, paths: readonly string[], now: number): Buffer | undefined {
  const hash = createHash('sha256');
  for (const path of paths) {
    const stat = lstatSync(join(folder, path), { bigint: true, throwIfNoEntry: false });
    if (!stat?.isFile() || Number(stat.ctimeMs) > now - young || Number(stat.mtimeMs) > now - young)
      return undefined;
    hash.update(`${path}\n${stat.size} ${stat.ino} ${stat.dev} ${stat.mtimeNs} ${stat.ctimeNs}\n`);
  }
  return hash.digest();
}

/**
 * SHA-256 over what the file system says of everything in a folder: path, size, inode, and when content and inode last
 * changed. Links are not followed, and hidden files are passed over.
 *
 * @param now milliseconds since 1970
 * @returns undefined when anything was changed just now, or a folder cannot be read
 */
export function censusOf(folder: string, now: number): string | undefined {
  const hash = createHash('sha256');
  try {
    return isSettled(folder, now - young, hash) ? hash.digest('hex') : undefined;
  } catch {
    return undefined;
  }
}

/** Adds what stands in a folder to the hash. @returns false when something in it was changed after a moment */
function isSettled(folder: string, moment: number, hash: Hash): boolean {
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    if (/^\./.test(entry.name)) return true;
    const path = `${folder}/${entry.name}`;
    const { mode, size, ino, dev, mtimeMs, ctimeMs } = lstatSync(path);
    hash.update(`${path}\n${mode} ${size} ${ino} ${dev} ${mtimeMs} ${ctimeMs}\n`);
    return ctimeMs <= moment && mtimeMs <= moment && (!entry.isDirectory() || isSettled(path, moment, hash));
  });
}
