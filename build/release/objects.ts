/** The objects of a dist folder: files that are named by the hash of their bytes. */
import { hash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** Reads an object. @throws DamagedRelease when it is missing or has other bytes */
export function readObject(distDir: string, object: StoredObject): Promise<Buffer> {
  return readVerified(distDir, objectPath(object.sha256), object);
}

/** Whether an object exists and has its size. Its bytes are not read. */
export async function hasObject(distDir: string, { sha256, size }: StoredObject): Promise<boolean> {
  const found = await stat(join(distDir, objectPath(sha256))).catch(() => undefined);
  return found?.isFile() === true && found.size === size;
}

/**
 * Reads a file of a release.
 *
 * @param file path inside `folder`
 * @throws DamagedRelease when it is missing, unreadable or has other bytes
 */
export async function readVerified(
  folder: string,
  file: string,
  { sha256, size }: StoredObject,
): Promise<Buffer> {
  const path = join(folder, file);
  const damaged = (reason: string) => new DamagedRelease(`${file} ${reason}`);
  const failed = (error: unknown) => damaged(reasonOf(error));
  const found = await stat(path).catch((error) => {
    throw failed(error);
  });
  // Others, such as a pipe, might never end.
  if (!found.isFile()) throw damaged('cannot be read (it is no file)');
  if (found.size !== size) throw damaged(`has ${found.size} bytes, not ${size}`);
  const bytes = await readFile(path).catch((error) => {
    throw failed(error);
  });
  if (hash('sha256', bytes) !== sha256)
    throw damaged('does not match its checksum: it was changed');
  return bytes;
}

/** What is wrong with a file that cannot be read, after its name. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? 'is missing'
    : `cannot be read (${code ?? message})`;
}
