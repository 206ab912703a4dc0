import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changesFile } from '../release/changes.ts';
import { inParallel, writeFileAtomically } from '../release/files.ts';
import { objectPath, readObject } from '../release/objects.ts';
import { type Release, readCurrent } from '../release/read.ts';
import { ReleaseError } from '../release/releases.ts';
import {
  DamagedRelease,
  releasesFolder,
  rootFile,
  type StoredObject,
  signatureFile,
} from '../release/root.ts';
import { hasSigner, parsePublicKeys, type Signer } from '../release/signature.ts';
import {
  type Pointer,
  pointerText,
  readPointer,
  rootKey,
  signatureKey,
  writePointer,
} from './pointer.ts';
import { type Progress, parallelRequests, type Store, StoreError } from './store.ts';
import {
  fetchJson,
  fetchRoot,
  type NewParts,
  newParts,
  pack,
  packedKey,
  parseYear,
} from './transfer.ts';

/** In `dist`: the highest sequence number that was pushed from there. */
const pushedFile = 'pushed.json';

export interface PushOptions {
  readonly distDir: string;
  /** The name of the bank, which the pointer names. */
  readonly bank: string;
  /** Signs the pointer; undefined if the release is not signed. */
  readonly signer: Signer | undefined;
  /** Uploads every object, also those that the store has. */
  readonly all: boolean;
  readonly now: Date;
  /** Is passed what the user should know, as a sentence. */
  readonly warn: (message: string) => void;
  /** Called with each file that is uploaded. */
  readonly progress?: Progress;
}

export interface PushResult {
  readonly release: string;
  /** Objects that the store lacked. */
  readonly files: number;
  /** Bytes that were uploaded. */
  readonly bytes: number;
  /** Whether the store's pointer named this release already. */
  readonly wasCurrent: boolean;
}

/**
 * Uploads the current release to a store: the objects that the store's current root does not reach, then the root and
 * its signature, and last the pointer, which it renews if the release is current already. Without a root to compare
 * with, all objects are uploaded.
 *
 * @throws ReleaseError when there is no release to push; StoreError; the file system's own error
 */
export async function push(store: Store, options: PushOptions): Promise<PushResult> {
  const { distDir, bank, signer, all, now, warn, progress } = options;
  const release = await readCurrent(distDir).catch((error) => {
    if (!(error instanceof DamagedRelease)) throw error;
    throw new ReleaseError(`${error.message}. Run npx pastpaper build first.`);
  });
  const { name, root, sha256 } = release;
  if (release.isOld)
    throw new ReleaseError(`Release ${name} has an older format. Run npx pastpaper build first.`);
  if (!hasSigner(root, signer))
    throw new ReleaseError(
      signer
        ? `Release ${root.id} is not signed with SIGNING_KEY. Build it with this key, or unset SIGNING_KEY.`
        : `Release ${root.id} is signed. ` +
            'Set SIGNING_KEY to the same key, which also signs what is current in the store.',
    );
  const found = await readPointer(store, signer && parsePublicKeys(signer.publicKey));
  const read = typeof found === 'object' ? found : undefined;
  const before = read?.pointer;
  const last = Math.max(await lastSequence(distDir), before?.sequence ?? 0);
  const sequence = Math.min(last + 1, Number.MAX_SAFE_INTEGER);
  if (read && !before)
    warn(
      `${store.name}: ${read.problem}. This push replaces it, with sequence number ${sequence}. ` +
        'Find out who wrote it. Machines that have seen a higher number from this store reject the release.',
    );
  const { parts, indexes } = await missingParts(store, release, all ? undefined : before);
  const uploaded = { files: 0, bytes: 0 };
  const upload = async (key: string, body: Buffer) => {
    await store.write(key, body);
    uploaded.bytes += body.length;
  };
  await inParallel(parts, parallelRequests, async (object) => {
    const body = await readObject(distDir, object).catch(toReleaseError(name));
    await upload(objectPath(object.sha256), body);
    uploaded.files += 1;
    progress?.(uploaded.files, parts.length);
  });
  await inParallel(indexes, parallelRequests, async (index) => {
    const body = await readObject(distDir, index).catch(toReleaseError(name));
    await upload(packedKey(index), await pack(body));
    uploaded.files += 1;
  });
  const folder = join(distDir, releasesFolder, name);
  const text = await readFile(join(folder, rootFile));
  const compressed = await pack(text);
  if (signer) await upload(signatureKey(root.id), await readFile(join(folder, signatureFile)));
  await upload(rootKey(root.id), compressed);
  const changes = await uploadChanges(distDir, before, upload);
  const sizes = { size: text.length, compressedSize: compressed.length };
  const publishedAt = now.toISOString();
  const pointer = pointerText(
    { release: root.id, sha256, ...sizes, publishedAt, sequence, bank, changes },
    signer,
  );
  // Before the pointer: a number may be skipped, but never used twice.
  await writeFileAtomically(join(distDir, pushedFile), `${JSON.stringify({ sequence })}\n`);
  if (!(await writePointer(store, pointer, read ? read.etag : null)))
    warn(
      `${store.name} does not support conditional writes. ` +
        'If two machines push at the same time, neither notices it, and the later push wins.',
    );
  uploaded.bytes += pointer.length;
  const wasCurrent = before?.sha256 === sha256;
  return { release: root.id, files: uploaded.files, bytes: uploaded.bytes, wasCurrent };
}

/** Uploads `changes.json`, if there is one and the store has another. */
async function uploadChanges(
  distDir: string,
  before: Pointer | undefined,
  upload: (key: string, body: Buffer) => Promise<void>,
): Promise<StoredObject | undefined> {
  const body = await readFile(join(distDir, changesFile)).catch(() => undefined);
  if (!body) return undefined;
  const object = { sha256: hash('sha256', body), size: body.length };
  if (before?.changes?.sha256 !== object.sha256) await upload(packedKey(object), await pack(body));
  return object;
}

/** The last sequence number that was pushed from a folder; 0: none was. */
async function lastSequence(distDir: string): Promise<number> {
  const { sequence } = await readFile(join(distDir, pushedFile), 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
  return Number.isSafeInteger(sequence) ? sequence : 0;
}

/**
 * The objects that have to be uploaded, and then the year indexes.
 *
 * @param before the pointer of the store; undefined: the store is taken to have no object
 */
async function missingParts(
  store: Store,
  release: Release,
  before: Pointer | undefined,
): Promise<NewParts> {
  const stored = before && (await fetchRoot(store, before).catch(unlessTemporary));
  const readStored = async (index: StoredObject) =>
    (await release.readYear(index).catch(() => undefined)) ??
    parseYear(index, (await fetchJson(store, index)).bytes);
  const known = stored && { root: stored.root, readYear: readStored, isStore: true };
  const { parts, indexes } = await newParts(release.root, release.readYear, known);
  // Whoever pulls decompresses the others.
  return { parts: parts.filter(({ packed }) => !packed), indexes };
}

function unlessTemporary(error: unknown): undefined {
  if (!(error instanceof StoreError) || error.isTemporary) throw error;
}

function toReleaseError(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof DamagedRelease)) throw error;
    throw new ReleaseError(`Release ${name} is damaged: ${error.message}. Nothing was published.`);
  };
}
