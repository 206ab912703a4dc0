import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
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
