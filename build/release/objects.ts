/** The objects of a dist folder: files that are named by the hash of their bytes. */
import { createHash, hash } from 'node:crypto';
import { createReadStream, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { draftName } from './files.ts';
import {
  DamagedRelease,
  type Root,
  type StoredObject,
  type StoredResource,
  type YearIndex,
  yearsOf,
} from './root.ts';

export const objectsFolder = 'objects';

/** The path of an object from its dist folder. */
export function objectPath(sha256: string): string {
  return `${objectsFolder}/${sha256.slice(0, 2)}/${sha256}`;
}

/** An object that a release reaches. */
export interface Part extends StoredObject {
  /** The object that it can be decompressed from, by gzip. */
  readonly packed?: StoredObject | undefined;
  /** Whether it is the index of a year. */
  readonly isIndex?: boolean;
}

/** A root, and how the indexes of its years are read. */
export interface Tree {
  readonly root: Root;
  /** Returns undefined if an index cannot be used: it is left out. */
  readonly readYear: (index: StoredObject) => Promise<YearIndex | undefined>;
}

/**
 * Finds the objects that a release reaches, by their hashes.
 *
 * @param other the years that this root has, too, are left out
 * @throws what `readYear` throws
 */
export async function objectsOf(
  { root, readYear }: Tree,
  other?: Root,
): Promise<Map<string, Part>> {
  const parts = new Map<string, Part>();
  const add = (resource: StoredResource): void => {
    const { identity, br, gzip } = resource;
    for (const object of [br, gzip]) if (object) parts.set(object.sha256, object);
    // Another response with the same bytes may not be compressed.
    if (!parts.has(identity.sha256)) parts.set(identity.sha256, { ...identity, packed: gzip });
  };
  for (const resource of Object.values(root.public)) add(resource);
  for (const object of Object.values(root.hosts)) parts.set(object.sha256, object);
  for (const { exam, year, index } of yearsOf(root)) {
    if (other?.years[exam]?.[year]?.sha256 === index.sha256) continue;
    const found = await readYear(index);
    if (!found) continue;
    if (found.list) add(found.list);
    for (const files of Object.values(found.shifts))
      for (const file of Object.values(files)) add(file);
    parts.set(index.sha256, { ...index, isIndex: true });
  }
  return parts;
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
