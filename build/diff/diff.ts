import { join } from 'node:path';
import {
  contentAt,
  findContent,
  maxImageBytes,
  maxJsonBytes,
  pathsOfShift,
  placeOf,
  readBytes,
  shiftPath,
} from '../content/file.ts';
import { UserError } from '../release/user-error.ts';
import { compareContent } from './compare.ts';
import { bytesOf, changesSince, openRef } from './git.ts';
import type { ChangeReport } from './report.ts';
import { readSide, type Snapshot } from './sides.ts';

/**
 * Compares a content folder at a git ref with the working tree.
 *
 * @param ref anything that names a commit: a branch, a tag, `HEAD~2`, a hash
 * @throws UserError when there is no such folder, git fails, or a part of the folder cannot be read
 */
export async function contentChanges(contentDir: string, ref: string): Promise<ChangeReport> {
  const found = await findContent(contentDir);
  const [unreadable] = found.unreadable;
  if (unreadable)
    throw new UserError(
      `The folder ${unreadable.path} cannot be read (${unreadable.code}). Check its permissions.`,
    );
  const past = await openRef(contentDir, ref);
  const changed = new Map([...(await changesSince(past))].filter(([path]) => isPublished(path)));
  const shifts = new Set([...changed.keys()].flatMap(shiftOf));
  const isCompared = (path: string) =>
    changed.has(path) || shiftOf(path).some((shift) => shifts.has(shift));
  const pathsNow = pathsIn(found).filter(isCompared);
  const pathsBefore = [
    ...pathsNow.filter((path) => !changed.has(path)),
    ...[...changed].flatMap(([path, object]) => (object === undefined ? [] : path)),
  ];
  const readNow = (path: string) => {
    const limit = placeOf(path).kind === 'diagram' ? maxImageBytes : maxJsonBytes;
    return readBytes(join(contentDir, path), limit);
  };
  const before = contentAt(pathsBefore.sort().map(placeOf));
  const objects = bytesOf(
    past,
    pathsIn(before).flatMap((path) => changed.get(path) ?? []),
  );
  const readBefore = async (path: string) =>
    changed.has(path) ? ((await objects.next()).value ?? Buffer.alloc(0)) : readNow(path);
  const sections = compareContent(
    await readSide({ ...before, read: readBefore }),
    await readSide({ ...contentAt(pathsNow.sort().map(placeOf)), read: readNow }),
  );
  return { ref, commit: past.commit, sections };
}

/** Whether a build reads the file: it ignores hidden ones, Markdown, and names with control characters. */
function isPublished(path: string): boolean {
  const isHidden = path.split('/').some((part) => part.startsWith('.'));
  return !isHidden && !/\p{Cc}|\.md$/iu.test(path);
}

/** The shift that a file belongs to, if any. */
function shiftOf(path: string): string[] {
  const place = placeOf(path);
  return 'shift' in place ? [shiftPath(place)] : [];
}

/** The paths of exam files, then those of each shift, in the order in which a side is read. */
function pathsIn({ exams, shifts }: Pick<Snapshot, 'exams' | 'shifts'>): string[] {
  return [...exams.map(({ path }) => path), ...shifts.flatMap(pathsOfShift)];
}
