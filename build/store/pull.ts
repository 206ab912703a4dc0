import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changesFile } from '../release/changes.ts';
import { configFile } from '../release/config.ts';
import { openDraft } from '../release/draft.ts';
import { inParallel, writeFileAtomically } from '../release/files.ts';
import { hasObject, objectsOf, type Part, readObject, writeObject } from '../release/objects.ts';
import { readCurrent, readRelease, readYearIndex } from '../release/read.ts';
import { type Root, releasesFolder, type StoredObject, signatureFile } from '../release/root.ts';
import { isSignedText, type PublicKeys } from '../release/signature.ts';
import { switchCurrent } from '../release/switch.ts';
import type { Pointer, ReadPointer } from './pointer.ts';
import { type Progress, parallelRequests, type Store, StoreError } from './store.ts';
import { fetchJson, fetchObject, fetchPart, fetchRoot, parseYear } from './transfer.ts';

/** In `dist`: which pointer of which store was pulled last. */
const pulledFile = 'pulled.json';

/** A pointer, and which ones are accepted. */
interface Signed {
  /** What `readPointer` has read from the store. */
  readonly read: ReadPointer;
  /** Who must have signed the release; undefined: anyone. */
  readonly publicKeys: PublicKeys | undefined;
  /** The name of the bank that the signer must have given it; undefined: any. */
  readonly bank: string | undefined;
}

export interface PullOptions extends Signed {
  readonly distDir: string;
  readonly now: Date;
  /** Called with each file that is downloaded or found. */
  readonly progress?: Progress;
}

export interface PullResult {
  /** The name of the release's folder. */
  readonly name: string;
  /** Objects that were downloaded. */
  readonly files: number;
  /** Bytes that were downloaded, the root included. */
  readonly bytes: number;
}

/**
 * Downloads the release that the pointer of a store names, and makes it the current one. Of a release that is not
 * current, only what the current one does not reach is downloaded and verified; what a pull that was stopped has
 * downloaded is used. If the release is current already, or the current one cannot be read, all objects are verified, and
 * damaged ones are replaced. After an error, `current` is unchanged.
 *
 * @throws StoreError when the release is incomplete, damaged, not signed with a key or older than the last one, or the
 * store is down; the file system's own error
 */
export async function pull(store: Store, options: PullOptions): Promise<PullResult> {
  const { distDir, read, now } = options;
  const pointer = acceptedPointer(options);
  rejectOlder(pointer, await lastPulled(distDir, store.name));
  const { root, text: rootText, transferred } = await fetchRoot(store, pointer);
  const { publishedAt, sequence, signature } = pointer;
  const draft = await openDraft(distDir);
  try {
    const fetched = await fetchObjects(store, options, root);
    if (pointer.changes) {
      const changes = await fetchJson(store, pointer.changes);
      await writeFileAtomically(join(distDir, changesFile), changes.bytes);
    }
    const name = await draft.settle(root, rootText);
    if (signature)
      await writeFileAtomically(join(distDir, releasesFolder, name, signatureFile), signature);
    await switchCurrent(distDir, await readRelease(distDir, name), now, undefined);
    const pulled: Pulled = { store: store.name, pointer: read.text, publishedAt, sequence };
    await writeFileAtomically(join(distDir, pulledFile), `${JSON.stringify(pulled)}\n`);
    return { name, files: fetched.files, bytes: fetched.bytes + transferred };
  } finally {
    await draft.remove();
  }
}

/** The pointer of a store that was pulled last; `pulledFile` contains it. */
interface Pulled {
  /** The name of the store. */
  readonly store: string;
  /** The text of the pointer. */
  readonly pointer: string;
  /** ISO 8601, UTC. */
  readonly publishedAt: string;
  readonly sequence: number;
}

/** What was pulled last from a store; undefined: nothing. */
export async function lastPulled(distDir: string, store: string): Promise<Pulled | undefined> {
  const pulled = await readFile(join(distDir, pulledFile), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  return pulled?.store === store && Number.isSafeInteger(pulled.sequence) ? pulled : undefined;
}

/** A cache in front of the store may be late, and whoever can write to it could bring back a signed release. */
function rejectOlder({ release, publishedAt, sequence }: Pointer, last: Pulled | undefined): void {
  if (!last || sequence >= last.sequence) return;
  throw new StoreError(
    `release ${release} was pushed at ${publishedAt} with sequence number ${sequence}, ` +
      `before the last one that was pulled (${last.publishedAt}, ${last.sequence})`,
  );
}

/** The signature of the pointer covers the name of the bank: the same key may sign several banks. */
function acceptedPointer({ read, publicKeys, bank }: Signed): Pointer {
  const { pointer, problem } = read;
  if (!pointer) throw new StoreError(problem);
  if (!publicKeys) return pointer;
  const { release, sha256, bank: other, signature = '' } = pointer;
  if (!isSignedText(signature, sha256, publicKeys))
    throw new StoreError(`release ${release} is not signed with this key`);
  if (bank === undefined || other === undefined || other === bank) return pointer;
  throw new StoreError(
    `release ${release} belongs to the bank "${other}", and this is the bank "${bank}". ` +
      `If the bank was renamed, change its name in ${configFile} here, too`,
  );
}

/** Downloads the objects of a release that are not in `dist`. */
async function fetchObjects(
  store: Store,
  { distDir, progress }: PullOptions,
  root: Root,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const current = await readCurrent(distDir).catch(() => undefined);
  // Of the current release, and if that cannot be read, any object may be damaged.
  const known = current?.isOld || current?.root.id === root.id ? undefined : current;
  const has = (object: StoredObject) =>
    known ? hasObject(distDir, object) : isUndamaged(distDir, object);
  const fetched = { files: 0, bytes: 0 };
  const count = (bytes: number) => {
    fetched.files += 1;
    fetched.bytes += bytes;
  };
  const years = new Map<string, Buffer>();
  const readYear = async (index: StoredObject) => {
    const found = await readYearIndex(distDir, index).catch(() => undefined);
    if (found) return found;
    const { bytes, transferred } = await fetchJson(store, index);
    count(transferred);
    years.set(index.sha256, bytes);
    return parseYear(index, bytes);
  };
  const fetch = async (part: Part) => {
    const year = years.get(part.sha256);
    if (year) return year;
    if (!part.packed) count(part.size);
    return fetchPart(store, distDir, part);
  };
  const parts = await objectsOf({ root, readYear }, known?.root);
  if (known) {
    const readKnown = (index: StoredObject) => known.readYear(index).catch(() => undefined);
    const reached = await objectsOf({ root: known.root, readYear: readKnown }, root);
    for (const sha256 of reached.keys()) parts.delete(sha256);
  }
  const all = [...parts.values()];
  // A body is decompressed from another object, and an index is there after what it names.
  const stages = [
    all.filter(({ packed, isIndex }) => !packed && !isIndex),
    all.filter(({ packed }) => packed),
    all.filter(({ isIndex }) => isIndex),
  ];
  let done = 0;
  for (const stage of stages)
    await inParallel(stage, parallelRequests, async (part) => {
      if (!(await has(part))) writeObject(distDir, await fetch(part));
      done += 1;
      progress?.(done, all.length);
    });
  return fetched;
}

async function isUndamaged(distDir: string, object: StoredObject): Promise<boolean> {
  return readObject(distDir, object).then(
    () => true,
    () => false,
  );
}

/** Whether a release in a store is as it was pushed. */
export interface StoredRelease {
  readonly release: string;
  readonly files: number;
  /** The size of all objects. */
  readonly bytes: number;
  /** What is wrong, one sentence each. */
  readonly damage: readonly string[];
}

/**
 * Downloads every object of the release that the pointer of a store names, and verifies its bytes.
 *
 * @throws StoreError when the root or a year index cannot be used, or the store is down
 */
export async function verifyStored(
  store: Store,
  signed: Signed,
  progress?: Progress,
): Promise<StoredRelease> {
  const pointer = acceptedPointer(signed);
  const { root } = await fetchRoot(store, pointer);
  const checked = { files: 0, bytes: 0 };
  const damage: string[] = [];
  const check = async <Result>({ size }: StoredObject, fetching: Promise<Result>) => {
    checked.files += 1;
    checked.bytes += size;
    return fetching.catch((error: unknown) => {
      if (!(error instanceof StoreError) || error.isTemporary) throw error;
      damage.push(error.message);
      return undefined;
    });
  };
  const readYear = async (index: StoredObject) => {
    const fetching = fetchJson(store, index);
    return check(
      index,
      fetching.then(({ bytes }) => parseYear(index, bytes)),
    );
  };
  const parts = [...(await objectsOf({ root, readYear })).values()];
  const stored = parts.filter(({ packed }) => !packed);
  const bodies = stored.filter(({ isIndex }) => !isIndex);
  await inParallel(bodies, parallelRequests, async (part) => {
    await check(part, fetchObject(store, part));
    progress?.(checked.files, stored.length);
  });
  return { release: root.id, ...checked, damage: damage.sort() };
}
