import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changesFile } from '../release/changes.ts';
import { inParallel, writeFileAtomically } from '../release/files.ts';
import { objectPath, objectsOf, type Part, readObject } from '../release/objects.ts';
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
import { type Pointer, pointerText, readPointer, writePointer } from './pointer.ts';
import { type Progress, parallelRequests, type Store, StoreError } from './store.ts';
import { fetchJson, fetchRoot, pack, packedKey, parseYear } from './transfer.ts';

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
  const parts = await missingParts(store, release, all ? undefined : before);
  const uploaded = { files: 0, bytes: 0 };
  const upload = async (key: string, body: Buffer) => {
    await store.write(key, body);
    uploaded.bytes += body.length;
  };
  // An index is there after what it names.
  for (const isIndex of [undefined, true])
    await inParallel(
      parts.filter((part) => part.isIndex === isIndex),
      parallelRequests,
      async (part) => {
        const body = await readObject(distDir, part).catch(toReleaseError(name));
        if (isIndex) await upload(packedKey(part), await pack(body));
        else await upload(objectPath(part.sha256), body);
        uploaded.files += 1;
        progress?.(uploaded.files, parts.length);
      },
    );
  const folder = join(distDir, releasesFolder, name);
  const text = await readFile(join(folder, rootFile));
  await upload(packedKey({ sha256, size: text.length }), await pack(text));
  const changes = await uploadChanges(distDir, before, upload);
  const signature = signer && (await readFile(join(folder, signatureFile), 'utf8'));
  const publishedAt = now.toISOString();
  const described = { release: root.id, sha256, size: text.length, publishedAt, sequence, bank };
  const pointer = pointerText({ ...described, changes, signature }, signer);
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
 * The objects that have to be uploaded. Whoever pulls decompresses the others.
 *
 * @param before the pointer of the store; undefined: the store is taken to have no object
 */
async function missingParts(
  store: Store,
  release: Release,
  before: Pointer | undefined,
): Promise<readonly Part[]> {
  const stored = before && (await fetchRoot(store, before).catch(unlessTemporary));
  const parts = await objectsOf(release, stored?.root);
  if (stored) {
    const readYear = async (index: StoredObject) =>
      (await release.readYear(index).catch(() => undefined)) ??
      parseYear(index, (await fetchJson(store, index)).bytes);
    for (const [sha256, { packed }] of await objectsOf({ ...stored, readYear }, release.root))
      if (!packed) parts.delete(sha256);
  }
  return [...parts.values()].filter(({ packed }) => !packed);
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
