/** What of a release is transferred, and how its parts are read from a store. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip } from 'node:zlib';
import { objectPath, readObject } from '../release/objects.ts';
import {
  DamagedRelease,
  parseRoot,
  parseYearIndex,
  publicPaths,
  type Root,
  type StoredObject,
  type StoredResource,
  type YearIndex,
  yearsOf,
} from '../release/root.ts';
import { type Pointer, rootKey } from './pointer.ts';
import { type Store, StoreError } from './store.ts';

/** An object of a release. */
export interface Part extends StoredObject {
  /** The object that it is decompressed from, by gzip; undefined if it is transferred itself. */
  readonly packed?: StoredObject | undefined;
}

/** Objects by their hash. */
type Parts = Map<string, Part>;

function addResource(parts: Parts, { identity, br, gzip }: StoredResource): void {
  for (const object of [br, gzip]) if (object) parts.set(object.sha256, object);
  // Another response with the same bytes may not be compressed.
  const found = parts.get(identity.sha256);
  if (!found) parts.set(identity.sha256, { ...identity, packed: gzip });
}

/** Adds the objects that a year index names. */
function addYear(parts: Parts, { list, shifts }: YearIndex): void {
  if (list) addResource(parts, list);
  for (const files of Object.values(shifts))
    for (const file of Object.values(files)) addResource(parts, file);
}

/** The objects that a root names itself, apart from the year indexes. */
function publicParts(root: Root): Parts {
  const parts: Parts = new Map();
  for (const resource of Object.values(root.public)) addResource(parts, resource);
  for (const object of publicPaths(root).values())
    if (!parts.has(object.sha256)) parts.set(object.sha256, object);
  return parts;
}

/** Reads a year index; undefined: it cannot be used. */
type ReadYear = (index: StoredObject) => Promise<YearIndex | undefined>;

/** The release that a place has, with which another one is compared. */
interface KnownRelease {
  readonly root: Root;
  readonly readYear: ReadYear;
  /** Whether it lacks bodies that are decompressed from other objects, as a store does. */
  readonly isStore?: boolean;
}

/** What one release has and another has not. */
export interface NewParts {
  readonly parts: readonly Part[];
  readonly indexes: readonly StoredObject[];
}

/**
 * Finds the objects of a release that another one does not reach, and the indexes of years that differ.
 *
 * @param readYear reads a year index of the release
 * @param known undefined: there is none, so that all objects are found
 */
export async function newParts(
  root: Root,
  readYear: ReadYear,
  known: KnownRelease | undefined,
): Promise<NewParts> {
  const wanted = publicParts(root);
  const reached: Parts = known ? publicParts(known.root) : new Map();
  const indexes: StoredObject[] = [];
  for (const { exam, year, index } of yearsOf(root)) {
    const before = known?.root.years[exam]?.[year];
    if (before?.sha256 === index.sha256) continue;
    indexes.push(index);
    const now = await readYear(index);
    if (now) addYear(wanted, now);
    const earlier = before && (await known?.readYear(before));
    if (earlier) addYear(reached, earlier);
  }
  const isReached = ({ sha256 }: Part) => {
    const found = reached.get(sha256);
    return found !== undefined && !(known?.isStore && found.packed);
  };
  return { parts: [...wanted.values()].filter((part) => !isReached(part)), indexes };
}

/**
 * Downloads the root that a pointer names.
 *
 * @throws StoreError when it is missing or has other bytes
 */
export async function fetchRoot(
  store: Store,
  { release, sha256, size, compressedSize }: Pointer,
): Promise<{ readonly root: Root; readonly text: string }> {
  const key = rootKey(release);
  const packed = await wholeObject(store, key, compressedSize);
  const text = (await unpack(key, packed, { sha256, size })).bytes.toString();
  const root = usable(key, () => parseRoot(text));
  if (root.id !== release) throw new StoreError(`${key} cannot be used: its id is ${root.id}`);
  return { root, text };
}

/** Parses a year index that was downloaded. @throws StoreError */
export function parseYear(index: StoredObject, bytes: Buffer): YearIndex {
  const key = packedKey(index);
  return usable(key, () => parseYearIndex(bytes.toString(), key));
}

/**
 * Downloads an object, or decompresses it from another one.
 *
 * @param distDir where that other one is
 * @throws StoreError when it is missing or has other bytes
 */
export async function fetchPart(store: Store, distDir: string, part: Part): Promise<Buffer> {
  const { packed, size, sha256 } = part;
  if (!packed) return fetchObject(store, part);
  const compressed = await readObject(distDir, packed);
  const bytes = await promisify(gunzip)(compressed, { maxOutputLength: Math.max(1, size) }).catch(
    () => undefined,
  );
  if (!bytes || hash('sha256', bytes) !== sha256) throw changed(objectPath(packed.sha256));
  return bytes;
}

/** Downloads an object. @throws StoreError when it is missing or has other bytes */
export async function fetchObject(store: Store, { sha256, size }: StoredObject): Promise<Buffer> {
  const key = objectPath(sha256);
  const bytes = await wholeObject(store, key, size);
  if (hash('sha256', bytes) !== sha256) throw changed(key);
  return bytes;
}

/** A fifth larger than with the highest quality, in a hundredth of the time: mostly hashes. */
const packQuality = 5;

/** Bytes by which Brotli may make short JSON longer. */
const packOverhead = 64;

/** Compresses JSON that a store has only compressed. */
export function pack(bytes: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: packQuality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

/** Where a store has an object that it has only compressed. */
export function packedKey({ sha256 }: StoredObject): string {
  return `${objectPath(sha256)}.br`;
}

/** An object that was downloaded, and how many bytes were transferred. */
interface Downloaded {
  readonly bytes: Buffer;
  readonly transferred: number;
}

/**
 * Downloads JSON that a store has only compressed; that of an earlier version, plain.
 *
 * @throws StoreError when it is missing or has other bytes
 */
export async function fetchJson(store: Store, object: StoredObject): Promise<Downloaded> {
  const key = packedKey(object);
  const packed = await store.read(key, object.size + packOverhead);
  if (packed !== undefined && packed !== 'unchanged') return unpack(key, packed.body, object);
  const bytes = await fetchObject(store, object);
  return { bytes, transferred: bytes.length };
}

async function unpack(
  key: string,
  packed: Buffer,
  { sha256, size }: StoredObject,
): Promise<Downloaded> {
  const bytes = await promisify(brotliDecompress)(packed, { maxOutputLength: size }).catch(
    () => undefined,
  );
  if (!bytes || hash('sha256', bytes) !== sha256) throw changed(key);
  return { bytes, transferred: packed.length };
}

/** @param maxSize bytes */
export async function wholeObject(store: Store, key: string, maxSize: number): Promise<Buffer> {
  const object = await store.read(key, maxSize);
  if (object === undefined || object === 'unchanged') throw new StoreError(`${key} is missing`);
  return object.body;
}

function changed(key: string): StoreError {
  return new StoreError(`${key} does not match its checksum: it is truncated or was changed`);
}

function usable<Result>(key: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof DamagedRelease)) throw error;
    throw new StoreError(`${key} cannot be used: ${error.message}`);
  }
}
