/** Compares the files of a release with its root. */
import { inParallel } from './files.ts';
import { objectPath, objectsOf, readVerified } from './objects.ts';
import type { Release } from './read.ts';
import {
  DamagedRelease,
  publicFolder,
  publicPaths,
  releasesFolder,
  type StoredObject,
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
export async function findDamage({ name, distDir, root, readYear }: Release): Promise<Damage> {
  const problems: string[] = [];
  const note = (error: unknown): undefined => {
    if (!(error instanceof DamagedRelease)) throw error;
    problems.push(error.message);
  };
  const tree = { root, readYear: (index: StoredObject) => readYear(index).catch(note) };
  const expected = new Map<string, StoredObject>();
  for (const [sha256, object] of await objectsOf(tree)) expected.set(objectPath(sha256), object);
  for (const [file, object] of publicPaths(root))
    expected.set(`${releasesFolder}/${name}/${publicFolder}/${file}`, object);
  await inParallel(expected, parallelReads, ([file, object]) =>
    readVerified(distDir, file, object).catch(note),
  );
  return { files: expected.size, problems: problems.sort() };
}
