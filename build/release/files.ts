/**
 * Work on files: writing with errors that name the file, which Node omits on a full disk, several files at a time, and
 * without half-written results. Those are written to a draft, a hidden name of its own, and then renamed. A draft that a
 * killed process left behind is removed by a later one.
 */
import { randomUUID } from 'node:crypto';
import {
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Drafts of this process. An earlier process with the same id may have left others. */
const ownDrafts = new Set<string>();

/** Returns a new unique name that contains the id of this process. */
export function draftName(): string {
  const name = `.draft-${process.pid}-${randomUUID()}`;
  ownDrafts.add(name);
  return name;
}

/** Removes the drafts of processes that were killed from a folder. */
export async function removeAbandonedDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (isAbandonedDraft(name)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Whether a name is that of a draft whose process no longer runs. */
export function isAbandonedDraft(name: string): boolean {
  const pid = Number(/^\.draft-(\d+)-[0-9a-f-]{36}$/.exec(name)?.[1]);
  return !Number.isNaN(pid) && !ownDrafts.has(name) && (pid === process.pid || !isRunning(pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Writes a file by renaming a draft, so that a reader never sees part of it. The folder must exist.
 *
 * @param mode permissions; default: those of any new file
 * @param isReplaceable whether the file may be lost in a power failure; if so, nothing waits for the disk
 * @throws the file system's own error, with the path of the file
 */
export async function writeFileAtomically(
  path: string,
  content: Buffer | string | Iterable<string | Uint8Array>,
  {
    mode,
    isReplaceable = false,
  }: { readonly mode?: number; readonly isReplaceable?: boolean } = {},
): Promise<void> {
  const draft = join(dirname(path), draftName());
  try {
    // After a power failure, the name must not exist without the bytes.
    await writeFile(draft, content, { flag: 'wx', flush: !isReplaceable, mode });
    if (mode !== undefined) await chmod(draft, mode);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw Object.assign(error as Error, { path });
  }
}

/**
 * Returns the text of a file that is written once and never changes, such as a secret. A missing file is written first,
 * readable only by its owner. Of several processes that do so at once, all get the same text.
 *
 * @param content the text of a new file
 * @throws the file system's own error, with the path of the file
 */
export async function writeFileOnce(path: string, content: string): Promise<string> {
  const draft = join(dirname(path), draftName());
  try {
    if ((await stat(path).catch(unlessCode('ENOENT'))) === undefined) {
      await writeFile(draft, content, { flag: 'wx', flush: true, mode: 0o600 });
      // The first process that links its draft wins.
      await link(draft, path).catch(unlessCode('EEXIST'));
    }
    return await readFile(path, 'utf8');
  } catch (error) {
    throw Object.assign(error as Error, { path });
  } finally {
    await rm(draft, { force: true });
  }
}

function unlessCode(expected: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== expected) throw error;
  };
}

/**
 * Creates a folder and its missing parents. Node's recursive `mkdir` loops forever on a file system that returns ENOENT
 * below an existing folder, such as /proc.
 *
 * @param mode permissions of the new folders
 * @throws the file system's own error
 */
export async function createFolder(path: string, mode = 0o777): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await createFolder(dirname(path), mode);
  await mkdir(path, { mode }).catch(async (error) => {
    // Another process may have created it just now.
    if (error.code !== 'EEXIST' || !(await isFolder(path))) throw error;
  });
}

async function isFolder(path: string): Promise<boolean> {
  const entry = await stat(path).catch(() => undefined);
  return entry?.isDirectory() ?? false;
}

/**
 * Calls an asynchronous function for each item, a number of items at a time. After an error, no further item is begun,
 * and those under way have ended when it is thrown.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  limit: number,
  run: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let isFailed = false;
  const runs = Array.from({ length: limit }, async () => {
    for (let next = queue.next(); !next.done && !isFailed; next = queue.next()) {
      await run(next.value).catch((error: unknown) => {
        isFailed = true;
        throw error;
      });
    }
  });
  for (const result of await Promise.allSettled(runs))
    if (result.status === 'rejected') throw result.reason;
}
