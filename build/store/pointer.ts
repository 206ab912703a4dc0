/**
 * What a store contains:
 *
 *     current                  the pointer: which release is current
 *     objects/ab/abcd...       the objects of all releases, by the SHA-256 of their bytes
 *     objects/ab/abcd....br    roots, year indexes and feeds of changes, compressed with Brotli
 *
 * A plain body that is also stored compressed by gzip is not transferred: whoever pulls decompresses that. The pointer
 * is written last, so whatever it names is complete.
 */
import type { StoredObject } from '../release/root.ts';
import { type PublicKeys, type Signer, signedText, verifiedText } from '../release/signature.ts';
import { type Store, StoreError } from './store.ts';

const pointerKey = 'current';

/** Bytes of a pointer; it has some 600. */
const maxPointerSize = 4096;

/** Bytes of a root: it is parsed as one string. */
const maxRootSize = 400 * 1024 * 1024;

/** Which release is current in a store. */
export interface Pointer {
  /** The release's id. */
  readonly release: string;
  /** Hex SHA-256 of `root.json`. */
  readonly sha256: string;
  /** Bytes of `root.json`. */
  readonly size: number;
  /** When it was pushed: ISO 8601, UTC. */
  readonly publishedAt: string;
  /** Grows with each push, whatever the clock says. */
  readonly sequence: number;
  /** The name of the bank. */
  readonly bank?: string | undefined;
  /** The object that `changes.json` is. */
  readonly changes?: StoredObject | undefined;
  /** The text of `root.sig`, if the release is signed. */
  readonly signature?: string | undefined;
}

/** The pointer as the store has it. */
export interface ReadPointer {
  readonly etag: string | undefined;
  /** The whole object. */
  readonly text: string;
  /** Undefined if it cannot be used. */
  readonly pointer: Pointer | undefined;
  /** Why it cannot be used. */
  readonly problem: string;
}

const title = 'release\n';

/** The text of a pointer. @param signer undefined: it is not signed */
export function pointerText(pointer: Pointer, signer: Signer | undefined): string {
  const text = `${title}${JSON.stringify(pointer)}\n`;
  return signer ? signedText(text, signer) : text;
}

/**
 * Reads the pointer of a store, whatever its object contains.
 *
 * @param publicKeys who must have signed it; undefined: anyone
 * @param etag of the known version
 * @returns undefined if the store has none
 * @throws StoreError when the store is down
 */
export async function readPointer(
  store: Store,
  publicKeys: PublicKeys | undefined,
  etag?: string,
): Promise<ReadPointer | 'unchanged' | undefined> {
  const object = await store.read(pointerKey, maxPointerSize, etag);
  if (object === undefined || object === 'unchanged') return object;
  const text = object.body.toString();
  const pointer = parsePointer(text);
  const read = { etag: object.etag, text };
  if (publicKeys && verifiedText(text, publicKeys) === undefined)
    return { ...read, pointer: undefined, problem: `${pointerKey} is not signed with this key` };
  const problem = `${pointerKey} is no pointer to a release: it is truncated or was changed`;
  return { ...read, pointer, problem };
}

/**
 * Writes the pointer of a store.
 *
 * @param replaces the version that it replaces; null: none
 * @returns whether the store has made sure that no other push came between
 * @throws StoreError when another push did
 */
export async function writePointer(
  store: Store,
  text: string,
  replaces: string | null | undefined,
): Promise<boolean> {
  const body = Buffer.from(text);
  const cacheControl = 'no-cache';
  const written = await store.write(pointerKey, body, { cacheControl, replaces });
  if (written === 'replaced meanwhile') {
    // By this push, if the response to an earlier attempt was lost.
    const found = await store.read(pointerKey, maxPointerSize);
    if (typeof found !== 'object' || !found.body.equals(body))
      throw new StoreError(
        'another push changed the current release meanwhile. Run the command again',
      );
    return true;
  }
  if (written === 'unconditional writes only')
    await store.write(pointerKey, body, { cacheControl });
  return written === 'written' && replaces !== undefined;
}

/** @returns undefined if the text is no pointer */
function parsePointer(text: string): Pointer | undefined {
  const [first = '', json = ''] = text.split('\n');
  try {
    return `${first}\n` === title ? pointerOf(JSON.parse(json)) : undefined;
  } catch {
    return undefined;
  }
}

/** @throws TypeError when it is no pointer */
function pointerOf({
  release,
  sha256,
  size,
  publishedAt,
  sequence,
  bank,
  changes,
  signature,
}: Pointer): Pointer {
  const isPointer =
    [release, sha256, publishedAt].every((text) => typeof text === 'string') &&
    [size, sequence].every(Number.isSafeInteger) &&
    /^[0-9a-f]{16}$/.test(release) &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    size > 0 &&
    size <= maxRootSize &&
    !Number.isNaN(Date.parse(publishedAt)) &&
    sequence >= 0 &&
    [bank, signature].every((text) => text === undefined || typeof text === 'string') &&
    (changes === undefined ||
      (/^[0-9a-f]{64}$/.test(changes.sha256) && Number.isSafeInteger(changes.size)));
  if (!isPointer) throw new TypeError();
  return { release, sha256, size, publishedAt, sequence, bank, changes, signature };
}
