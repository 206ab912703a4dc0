/** The objects of a dist folder: files that are named by the hash of their bytes. */
import { createHash, hash } from 'node:crypto';
import { createReadStream, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { draftName } from './files.ts';
import { DamagedRelease, type StoredObject } from './root.ts';

export const objectsFolder = 'objects';

/** The path of an object from its dist folder. */
export function objectPath(sha256: string): string {
  return `${objectsFolder}/${sha256.slice(0, 2)}/${sha256}`;
}

/** Writes a file. @throws the file system's own error, with the path of the file */
export function writeWithPath(path: string, content: Buffer): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw Object.assign(error as Error, { path });
  }
}

/** Every object is first written under this name: a thread writes one after the other. */
const draft = draftName();

/** Folders that exist. */
const created = new Set<string>();

/**
 * Writes an object: under a temporary name that is then renamed, so that an object is always complete. One that exists
 * is replaced, since it may be damaged.
 *
 * @throws the file system's own error, with the path of the file
 */
export function writeObject(distDir: string, bytes: Buffer): StoredObject {
  const sha256 = hash('sha256', bytes);
  const path = join(distDir, objectPath(sha256));
  const folder = join(path, '..');
  if (!created.has(folder)) {
    mkdirSync(folder, { recursive: true });
    created.add(folder);
  }
  const scratch = join(distDir, objectsFolder, draft);
  try {
    writeWithPath(scratch, bytes);
    renameSync(scratch, path);
  } catch (error) {
    rmSync(scratch, { force: true });
    created.delete(folder);
    throw error;
  }
  return { sha256, size: bytes.length };
}

/**
 * Reads an object whole.
 *
 * @throws DamagedRelease when it is missing or has other bytes
 */
export async function readObject(distDir: string, { sha256 }: StoredObject): Promise<Buffer> {
  const name = objectPath(sha256);
  const bytes = await readFile(join(distDir, name)).catch((error) => {
    throw new DamagedRelease(`${name} ${reasonOf(error)}`);
  });
  if (hash('sha256', bytes) !== sha256) throw changed(name);
  return bytes;
}

/** Whether an object exists and has its size. Its bytes are not read. */
export async function hasObject(distDir: string, { sha256, size }: StoredObject): Promise<boolean> {
  const found = await stat(join(distDir, objectPath(sha256))).catch(() => undefined);
  return found?.isFile() === true && found.size === size;
}

/**
 * Verifies the bytes of a file.
 *
 * @param file path inside `folder`
 * @throws DamagedRelease when it is missing, unreadable or has other bytes
 */
export async function verifyFile(
  folder: string,
  file: string,
  { sha256, size }: StoredObject,
): Promise<void> {
  const digest = createHash('sha256');
  let read = 0;
  try {
    const path = join(folder, file);
    // Others, such as a pipe, might never end.
    if (!(await stat(path)).isFile()) throw new Error('it is no file');
    for await (const piece of createReadStream(path)) {
      digest.update(piece);
      read += piece.length;
    }
  } catch (error) {
    throw new DamagedRelease(`${file} ${reasonOf(error)}`, { cause: error });
  }
  if (read !== size) throw new DamagedRelease(`${file} has ${read} bytes, not ${size}`);
  if (digest.digest('hex') !== sha256) throw changed(file);
}

/** What is wrong with a file that cannot be read, after its name. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? 'is missing'
    : `cannot be read (${code ?? message})`;
}

function changed(file: string): DamagedRelease {
  return new DamagedRelease(`${file} does not match its checksum: it was changed`);
}
