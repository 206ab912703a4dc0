/** Reads releases: their roots, year indexes and bodies. */
import { hash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { oldRelease } from './format-2.ts';
import { objectPath, readObject, reasonOf } from './objects.ts';
import {
  currentLink,
  DamagedRelease,
  parseRoot,
  parseYearIndex,
  type Root,
  releasesFolder,
  rootFile,
  type StoredObject,
  type YearIndex,
} from './root.ts';

/** A release whose root was read. */
export interface Release {
  /** Its folder under `releases/`. */
  readonly name: string;
  /** Absolute path of the dist folder. */
  readonly distDir: string;
  readonly root: Root;
  /** Whether it has the format before this one: its files are no objects. */
  readonly isOld: boolean;
  /** Hex SHA-256 of the text of the root. */
  readonly sha256: string;
  /** @throws DamagedRelease when it is missing or has other bytes */
  readonly readYear: (index: StoredObject) => Promise<YearIndex>;
  /** The absolute path of an object of the release. */
  readonly pathOf: (object: StoredObject) => string;
}

/**
 * Reads the root of a release.
 *
 * @param name its folder under `releases/`
 * @throws DamagedRelease when the root is missing, unreadable or damaged
 */
export async function readRelease(distDir: string, name: string): Promise<Release> {
  const folder = join(distDir, releasesFolder, name);
  const text = await readFile(join(folder, rootFile), 'utf8').catch(async (error) => {
    const old = error.code === 'ENOENT' ? await oldRelease(folder) : undefined;
    if (old) return old;
    throw new DamagedRelease(`${join(releasesFolder, name, rootFile)} ${reasonOf(error)}`);
  });
  if (typeof text !== 'string') return { ...text, name, distDir, isOld: true };
  return {
    name,
    distDir,
    root: parseRoot(text),
    isOld: false,
    sha256: hash('sha256', text),
    readYear: (index) => readYearIndex(distDir, index),
    pathOf: ({ sha256 }) => join(distDir, objectPath(sha256)),
  };
}

/**
 * Reads the root of the release that `current` names. The link is resolved once, so that a release published meanwhile
 * cannot mix with this one.
 *
 * @throws DamagedRelease when there is none, or its root cannot be used
 */
export async function readCurrent(distDir: string): Promise<Release> {
  const link = join(distDir, currentLink);
  const folder = await realpath(link).catch(() => {
    throw new DamagedRelease(`${link} is missing`);
  });
  return readRelease(dirname(dirname(folder)), basename(folder));
}

/** Reads the index of a year. @throws DamagedRelease when it is missing, damaged or of another shape */
export async function readYearIndex(distDir: string, index: StoredObject): Promise<YearIndex> {
  const bytes = await readObject(distDir, index);
  return parseYearIndex(bytes.toString(), objectPath(index.sha256));
}
