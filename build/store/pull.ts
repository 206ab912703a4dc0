import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { changesFile } from '../release/changes.ts';
import { configFile } from '../release/config.ts';
import { openDraft } from '../release/draft.ts';
import { inParallel, writeFileAtomically } from '../release/files.ts';
import { hasObject, objectPath, verifyFile, writeObject } from '../release/objects.ts';
import { readCurrent, readRelease, readYearIndex } from '../release/read.ts';
import {
  type Root,
  releasesFolder,
  type StoredObject,
  signatureFile,
  yearsOf,
} from '../release/root.ts';
import { isSignedText, type PublicKeys, publicKeyPath } from '../release/signature.ts';
import { switchCurrent } from '../release/switch.ts';
import { type Pointer, type ReadPointer, signatureKey } from './pointer.ts';
import { parallelRequests, type Store, StoreError } from './store.ts';
import {
  changedYears,
  fetchObject,
  fetchPart,
  fetchRoot,
  fetchYear,
  type Part,
  type Parts,
  partsOfYear,
  publicParts,
  wholeObject,
} from './transfer.ts';

/** In `dist`: which pointer of which store was pulled last. */
const pulledFile = 'pulled.json';

/** Bytes of a signature; it has some 170. */
const maxSignatureSize = 4096;

/** Bytes of the disk that stay free. */
const diskReserve = 32 * 1024 * 1024;

/** Which releases are accepted. */
interface Signed {
  /** Who must have signed the release; undefined: anyone. */
  readonly publicKeys: PublicKeys | undefined;
  /** The name of the bank that the signer must have given it; undefined: any. */
  readonly bank: string | undefined;
}

export interface PullOptions extends Signed {
  readonly distDir: string;
  /** What `readPointer` has read from the store. */
  readonly read: ReadPointer;
  readonly now: Date;
  /** Is called as objects are downloaded. */
  readonly progress: (done: number, total: number, bytes: number) => void;
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
  const { pointer, text } = read;
  rejectOlder(pointer, await lastPulled(distDir, store.name));
  rejectOtherBank(pointer, options);
  const { root, text: rootText } = await fetchRoot(store, pointer);
  const signature = await fetchSignature(store, pointer, root, options);
  const draft = await openDraft(distDir, true);
  try {
    const fetched = await fetchObjects(store, options, root);
    if (pointer.changes) {
      const changes = await fetchObject(store, pointer.changes);
      await writeFileAtomically(join(distDir, changesFile), changes);
    }
    const name = await draft.settle(root, rootText);
    if (signature)
      await writeFileAtomically(join(distDir, releasesFolder, name, signatureFile), signature);
    await switchCurrent(distDir, await readRelease(distDir, name), now, undefined);
    const { publishedAt, sequence } = pointer;
    const pulled: Pulled = { store: store.name, pointer: text, publishedAt, sequence };
    await writeFileAtomically(join(distDir, pulledFile), `${JSON.stringify(pulled)}\n`);
    const bytes = fetched.bytes + pointer.compressedSize + (signature?.length ?? 0);
    return { name, files: fetched.files, bytes };
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
  /** Undefined if an earlier version of the program pulled it. */
  readonly sequence?: number;
}

/** What was pulled last from a store; undefined: nothing. */
export async function lastPulled(distDir: string, store: string): Promise<Pulled | undefined> {
  const pulled = await readFile(join(distDir, pulledFile), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  return pulled?.store === store && Number.isSafeInteger(pulled.sequence ?? 0) ? pulled : undefined;
}

/** A cache in front of the store may be late, and whoever can write to it could bring back a signed release. */
function rejectOlder({ release, publishedAt, sequence }: Pointer, last: Pulled | undefined): void {
  const { sequence: highest = 0, publishedAt: latest = publishedAt } = last ?? {};
  if (sequence > highest || (sequence === highest && Date.parse(publishedAt) >= Date.parse(latest)))
    return;
  throw new StoreError(
    `release ${release} was pushed at ${publishedAt} with sequence number ${sequence}, ` +
      `before the last one that was pulled (${latest}, ${highest})`,
  );
}

/** The signature of the pointer covers the name of the bank: the same key may sign several banks. */
function rejectOtherBank({ release, bank: other }: Pointer, { publicKeys, bank }: Signed): void {
  if (!publicKeys || bank === undefined || other === undefined || other === bank) return;
  throw new StoreError(
    `release ${release} belongs to the bank "${other}", and this is the bank "${bank}". ` +
      `If the bank was renamed, change its name in ${configFile} here, too`,
  );
}

/** @returns undefined if the release is not signed @throws StoreError when another key signed it */
async function fetchSignature(
  store: Store,
  { release, sha256 }: Pointer,
  root: Root,
  { publicKeys }: Signed,
): Promise<Buffer | undefined> {
  if (!publicKeys && !root.public[publicKeyPath]) return undefined;
  const signature = await wholeObject(store, signatureKey(release), maxSignatureSize);
  if (publicKeys && !isSignedText(signature.toString(), sha256, publicKeys))
    throw new StoreError(`release ${release} is not signed with this key`);
  return signature;
}

/** Downloads the objects of a release that are not in `dist`. */
async function fetchObjects(
  store: Store,
  { distDir, progress }: PullOptions,
  root: Root,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const current = await readCurrent(distDir).catch(() => undefined);
  const local = current?.isOld ? undefined : current;
  const isCurrent = local?.root.id === root.id;
  // A current release that cannot be read is damaged itself, and so may its objects be.
  const has = async (object: StoredObject) =>
    local && !isCurrent ? hasObject(distDir, object) : isUndamaged(distDir, object);
  const fetched = { files: 0, bytes: 0 };
  const wanted = publicParts(root);
  const known: Parts = local && !isCurrent ? publicParts(local.root) : new Map();
  const indexes: Buffer[] = [];
  for (const { index, before } of changedYears(root, isCurrent ? undefined : local?.root)) {
    let found = await readYearIndex(distDir, index).catch(() => undefined);
    if (!found) {
      const { year, bytes } = await fetchYear(store, index);
      found = year;
      indexes.push(bytes);
      fetched.files += 1;
      fetched.bytes += index.size;
    }
    for (const part of partsOfYear(found).values()) wanted.set(part.sha256, part);
    const old = before && (await local?.readYear(before).catch(() => undefined));
    if (old) for (const part of partsOfYear(old).values()) known.set(part.sha256, part);
  }
  const missing: Part[] = [];
  await inParallel(wanted.values(), parallelRequests, async (part) => {
    if (!known.has(part.sha256) && !(await has(part))) missing.push(part);
  });
  // A body is decompressed from another object, which must be there first.
  const [first, then] = [
    missing.filter(({ packed }) => !packed),
    missing.filter((one) => one.packed),
  ];
  await checkSpace(
    distDir,
    missing.reduce((sum, { size }) => sum + size, 0),
  );
  for (const parts of [first, then]) {
    await inParallel(parts, parallelRequests, async (part) => {
      writeObject(distDir, await fetchPart(store, distDir, part));
      if (part.packed) return;
      fetched.files += 1;
      fetched.bytes += part.size;
      progress(fetched.files, first.length + indexes.length, fetched.bytes);
    });
  }
  // What an index names is there when the index is.
  for (const bytes of indexes) writeObject(distDir, bytes);
  return fetched;
}

async function isUndamaged(distDir: string, object: StoredObject): Promise<boolean> {
  return verifyFile(distDir, objectPath(object.sha256), object).then(
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
  { read, progress, ...signed }: Omit<PullOptions, 'distDir' | 'now'>,
): Promise<StoredRelease> {
  const { pointer } = read;
  rejectOtherBank(pointer, signed);
  const { root } = await fetchRoot(store, pointer);
  await fetchSignature(store, pointer, root, signed);
  const parts = publicParts(root);
  const checked = { files: 0, bytes: 0 };
  const damage: string[] = [];
  const verify = async <Result>(object: StoredObject, fetch: Promise<Result>) => {
    const result = await fetch.catch((error: unknown) => {
      if (!(error instanceof StoreError) || error.isTemporary) throw error;
      damage.push(error.message);
      return undefined;
    });
    checked.files += 1;
    checked.bytes += object.size;
    progress(checked.files, parts.size, checked.bytes);
    return result;
  };
  for (const { index } of yearsOf(root)) {
    const found = await verify(index, fetchYear(store, index));
    if (found) for (const part of partsOfYear(found.year).values()) parts.set(part.sha256, part);
  }
  const sent = [...parts.values()].filter(({ packed }) => !packed);
  await inParallel(sent, parallelRequests, async (part) => {
    await verify(part, fetchObject(store, part));
  });
  return { release: root.id, ...checked, damage: damage.sort() };
}

/** @throws StoreError when the disk has no room for so many bytes */
async function checkSpace(distDir: string, size: number): Promise<void> {
  const { bavail, bsize } = await statfs(distDir);
  const free = bavail * bsize;
  if (size + diskReserve <= free) return;
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MiB`;
  throw new StoreError(
    `the release needs ${mebibytes(size + diskReserve)} of disk space, and ${mebibytes(free)} are free`,
  );
}
