/** How the parts of a release are read from a store. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip } from 'node:zlib';
import { objectPath, type Part, readObject } from '../release/objects.ts';
import {
  DamagedRelease,
  parseRoot,
  parseYearIndex,
  type StoredObject,
  type YearIndex,
} from '../release/root.ts';
import type { Pointer } from './pointer.ts';
import { type Store, StoreError } from './store.ts';

/**
 * Downloads the root that a pointer names.
 *
 * @throws StoreError when it is missing or has other bytes
 */
export async function fetchRoot(store: Store, pointer: Pointer) {
  const { bytes, transferred } = await fetchJson(store, pointer);
  const key = packedKey(pointer);
  const text = bytes.toString();
  const root = usable(key, () => parseRoot(text));
  if (root.id !== pointer.release)
    throw new StoreError(`${key} cannot be used: its id is ${root.id}`);
  return { root, text, transferred };
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

/**
 * Downloads JSON that a store has only compressed.
 *
 * @returns the JSON, and how many bytes were transferred
 * @throws StoreError when it is missing or has other bytes
 */
export async function fetchJson(store: Store, object: StoredObject) {
  const { sha256, size } = object;
  const key = packedKey(object);
  const packed = await wholeObject(store, key, size + packOverhead);
  const bytes = await promisify(brotliDecompress)(packed, { maxOutputLength: size }).catch(
    () => undefined,
  );
  if (!bytes || hash('sha256', bytes) !== sha256) throw changed(key);
  return { bytes, transferred: packed.length };
}

/** @param maxSize bytes */
async function wholeObject(store: Store, key: string, maxSize: number): Promise<Buffer> {
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
