import { hash } from 'node:crypto';
import { join } from 'node:path';
import { maxJsonBytes, readBytes } from '../content/file.ts';
import { type FoundContent, findContent, placeOf } from '../content/find.ts';
import { UserError } from '../release/user-error.ts';
import { compareContent } from './compare.ts';
import { bytesOf, changesSince, openRef } from './git.ts';
import type { ChangeReport } from './report.ts';
import { type FileValue, parseFile, type Snapshot } from './sides.ts';

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
  const after = readNow(contentDir, found, changed);
  const before = {
    files: new Map([...after.files].filter(([path]) => !changed.has(path))),
    diagrams: new Map<string, string>(),
  };
  const wanted = [...changed].flatMap(([path, object]) => {
    const { kind } = placeOf(path);
    const isRead = kind !== 'stray' && kind !== 'exceptions';
    return isRead && object !== undefined ? [{ path, kind, object }] : [];
  });
  const places = wanted.values();
  const objects = wanted.map(({ object }) => object);
  for await (const bytes of bytesOf(past, objects)) {
    const { path = '', kind } = places.next().value ?? {};
    if (kind === 'diagram') before.diagrams.set(path, hash('sha256', bytes));
    else before.files.set(path, parseFile(path, bytes));
  }
  return { ref, commit: past.commit, sections: compareContent(before, after) };
}

/** Whether a build reads the file: it ignores hidden ones and names with control characters. */
function isPublished(path: string): boolean {
  const isHidden = path.split('/').some((part) => part.startsWith('.'));
  return !isHidden && !/\p{Cc}/u.test(path);
}

/** Reads the changed files, and the papers next to a changed diagram, because one of them uses it. */
function readNow(
  contentDir: string,
  found: FoundContent,
  changed: ReadonlyMap<string, unknown>,
): Snapshot {
  const files = new Map<string, FileValue>();
  const diagrams = new Map<string, string>();
  const readFile = (path: string) => {
    files.set(path, parseFile(path, readBytes(join(contentDir, path), maxJsonBytes)));
  };
  for (const { path } of found.exams) if (changed.has(path)) readFile(path);
  for (const shift of found.shifts) {
    const changedDiagrams = shift.diagrams.filter(({ path }) => changed.has(path));
    for (const { path } of changedDiagrams) {
      const bytes = readBytes(join(contentDir, path), Number.POSITIVE_INFINITY);
      if ('fault' in bytes) files.set(path, bytes);
      else diagrams.set(path, hash('sha256', bytes));
    }
    for (const { path } of shift.papers)
      if (changed.has(path) || changedDiagrams.length > 0) readFile(path);
    for (const { path } of [...shift.details, ...shift.translations])
      if (changed.has(path)) readFile(path);
  }
  return { files, diagrams };
}
