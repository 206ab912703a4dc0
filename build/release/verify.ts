/** Compares the files of a release with its root. */
import { inParallel } from './files.ts';
import { objectPath, verifyFile } from './objects.ts';
import type { Release } from './read.ts';
import {
  DamagedRelease,
  objectsOfYear,
  publicFolder,
  publicPaths,
  releasesFolder,
  type StoredObject,
  yearsOf,
} from './root.ts';

/** Files hashed at a time: enough to keep a disk busy, few enough for any limit on open files. */
const parallelReads = 8;

/** What is wrong with a release. */
export interface Damage {
  /** How many files were compared. */
  readonly files: number;
  /** What is wrong, a line for each file, sorted. */
  readonly problems: readonly string[];
}

/** Compares every object that a release reaches, and its public files, with its root. */
export async function findDamage(release: Release): Promise<Damage> {
  const { name, distDir, root } = release;
  const problems: string[] = [];
  const note = (error: unknown): void => {
    if (!(error instanceof DamagedRelease)) throw error;
    problems.push(error.message);
  };
  const expected = new Map<string, StoredObject>();
  await forEachObject(release, (object) => expected.set(objectPath(object.sha256), object), note);
  for (const [file, object] of publicPaths(root))
    expected.set(`${releasesFolder}/${name}/${publicFolder}/${file}`, object);
  await inParallel(expected, parallelReads, ([file, object]) =>
    verifyFile(distDir, file, object).catch(note),
  );
  return { files: expected.size, problems: problems.sort() };
}

/**
 * Visits every object that a release reaches, year indexes included.
 *
 * @param onDamage is passed the error of a year index that cannot be read; by default it is thrown
 * @throws DamagedRelease
 */
export async function forEachObject(
  { root, readYear }: Release,
  visit: (object: StoredObject) => void,
  onDamage?: (error: unknown) => void,
): Promise<void> {
  for (const object of publicPaths(root).values()) visit(object);
  for (const { index } of yearsOf(root)) {
    try {
      const year = await readYear(index);
      for (const object of objectsOfYear(year)) visit(object);
      visit(index);
    } catch (error) {
      if (!onDamage) throw error;
      onDamage(error);
    }
  }
}
