/**
 * What a store contains:
 *
 *     current                    the pointer: which release is current
 *     manifests/ID.json.br       its manifest, compressed with Brotli
 *     manifests/ID.sig           the signature of the manifest, if the release is signed
 *     files/ab/abcd...           each file of any release, by the SHA-256 of its bytes
 *
 * The pointer is written last, so whatever it names is complete.
 */
import { hash, type KeyObject } from 'node:crypto';
import { type Signer, signedText, verifiedText } from '../signature.ts';
import { type Store, StoreError } from './store.ts';

const pointerKey = 'current';

/** Bytes of a pointer; it has some 300. */
const maxPointerSize = 4096;

/** Bytes of a manifest: it is parsed as one string. */
const maxManifestSize = 400 * 1024 * 1024;

/** Which release is current in a store. */
export interface Pointer {
  /** The release's id. */
  readonly release: string;
  /** Hex SHA-256 of `manifest.json`. */
  readonly sha256: string;
  /** Bytes of `manifest.json`, and of its compressed form. */
  readonly size: number;
  readonly compressedSize: number;
  /** When it was pushed: ISO 8601, UTC. Later pushes have later times, whatever the clock says. */
  readonly publishedAt: string;
}

/** The pointer as the store has it. */
export interface ReadPointer {
  readonly pointer: Pointer;
  /** The whole object. */
  readonly text: string;
  readonly etag: string | undefined;
}

export function manifestKey(release: string): string {
  return `manifests/${release}.json.br`;
}

export function signatureKey(release: string): string {
  return `manifests/${release}.sig`;
}

export function fileKey(sha256: string): string {
  return `files/${sha256.slice(0, 2)}/${sha256}`;
}

const title = 'release\n';

/** The text of a pointer. @param signer undefined: it is not signed */
export function pointerText(pointer: Pointer, signer: Signer | undefined): string {
  const text = `${title}${JSON.stringify(pointer)}\n`;
  return signer ? signedText(text, signer) : text;
}

/**
 * Reads the pointer of a store.
 *
 * @param publicKey who must have signed it; undefined: anyone
 * @param etag of the known version
 * @returns undefined if the store has none
 * @throws StoreError
 */
export async function readPointer(
  store: Store,
  publicKey: KeyObject | undefined,
  etag?: string,
): Promise<ReadPointer | 'unchanged' | undefined> {
  const object = await store.read(pointerKey, maxPointerSize, etag);
  if (object === undefined || object === 'unchanged') return object;
  const text = object.body.toString();
  return { pointer: parsePointer(text, publicKey), text, etag: object.etag };
}

/**
 * Writes the pointer of a store.
 *
 * @param before the pointer that it replaces
 * @throws StoreError when it is no longer the pointer of the store
 */
export async function writePointer(store: Store, text: string, before: ReadPointer | undefined): Promise<void> {
  const body = Buffer.from(text);
  const replaces = before ? before.etag : null;
  const upload = { body: () => body, size: body.length, sha256: hash('sha256', body) };
  const isWritten = await store.write(pointerKey, replaces === undefined ? upload : { ...upload, replaces });
  if (!isWritten) throw new StoreError('another push changed the current release meanwhile. Run the command again');
}

function parsePointer(text: string, publicKey: KeyObject | undefined): Pointer {
  if (publicKey && verifiedText(text, publicKey) === undefined)
    throw new StoreError(`${pointerKey} is not signed with this key`);
  const [first = '', json = ''] = text.split('\n');
  let pointer: Pointer;
  try {
    pointer = JSON.parse(json);
  } catch {
    throw new StoreError(`${pointerKey} is no pointer to a release: it is truncated or was changed`);
  }
  if (`${first}\n` !== title || !isPointer(pointer))
    throw new StoreError(`${pointerKey} is no pointer to a release: it is truncated or was changed`);
  return pointer;
}

function isPointer(value: Pointer | null): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { release, sha256, size, compressedSize, publishedAt } = value;
  return (
    /^[0-9a-f]{16}$/.test(release) &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    [size, compressedSize].every((bytes) => Number.isSafeInteger(bytes) && bytes > 0) &&
    size <= maxManifestSize &&
    compressedSize <= maxManifestSize &&
    typeof publishedAt === 'string' &&
    !Number.isNaN(Date.parse(publishedAt))
  );
}
