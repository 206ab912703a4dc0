import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { inParallel } from '../files.ts';
import {
  currentLink,
  DamagedRelease,
  type Manifest,
  manifestFile,
  releasesFolder,
  type StoredVariant,
  signatureFile,
  storedVariants,
} from '../manifest.ts';
import { ReleaseError } from '../releases.ts';
import { hasSigner, type Signer } from '../signature.ts';
import { readManifest, verifyVariant } from '../verify.ts';
import { fileKey, manifestKey, type Pointer, pointerText, readPointer, signatureKey, writePointer } from './pointer.ts';
import { fetchManifest } from './pull.ts';
import { parallelRequests, type Store, StoreError } from './store.ts';

/** A fifth larger than with the highest quality, in a hundredth of the time: mostly hashes. */
const manifestQuality = 5;

export interface PushOptions {
  readonly distDir: string;
  /** Signs the pointer; undefined if the release is not signed. */
  readonly signer: Signer | undefined;
  readonly now: Date;
  /** Is called as files are checked. */
  readonly progress: (done: number, total: number, bytes: number) => void;
}

export interface PushResult {
  readonly release: string;
  /** Files that the store lacked. */
  readonly files: number;
  /** Bytes that were uploaded. */
  readonly bytes: number;
  /** Whether the store's pointer named this release already. */
  readonly wasCurrent: boolean;
}

/**
 * Uploads the current release to a store: the files that the store lacks, then the manifest and its signature, and last
 * the pointer. What a push that was stopped has uploaded is used by the next one.
 *
 * @throws ReleaseError when there is no release to push; StoreError; the file system's own error
 */
export async function push(store: Store, options: PushOptions): Promise<PushResult> {
  const { distDir, signer, now, progress } = options;
  const folder = await realpath(join(distDir, currentLink)).catch(() => {
    throw new ReleaseError(`${join(distDir, currentLink)} is missing. Run pastpaper build first.`);
  });
  const manifest = await readManifest(folder).catch(toReleaseError(folder));
  if (!hasSigner(manifest, signer))
    throw new ReleaseError(
      signer
        ? `Release ${manifest.id} is not signed with SIGNING_KEY. Build it with this key, or unset SIGNING_KEY.`
        : `Release ${manifest.id} is signed. ` +
            'Set SIGNING_KEY to the same key, which also signs what is current in the store.',
    );
  const text = await readFile(join(folder, manifestFile));
  const sha256 = hash('sha256', text);
  const read = await readPointer(store, undefined);
  const before = read === 'unchanged' ? undefined : read;
  if (before?.pointer.sha256 === sha256) return { release: manifest.id, files: 0, bytes: 0, wasCurrent: true };
  const known = await knownFiles(store, distDir, before?.pointer);
  const missing = [...distinctFiles(manifest)].filter((variant) => !known.has(variant.sha256));
  const uploaded = { files: 0, bytes: 0, checked: 0 };
  await inParallel(missing, parallelRequests, async (variant) => {
    if (!(await store.has(fileKey(variant.sha256), variant.size))) {
      await verifyVariant(folder, variant, new Set()).catch(toReleaseError(folder));
      await store.write(fileKey(variant.sha256), {
        ...variant,
        body: () => createReadStream(join(folder, variant.file)),
      });
      uploaded.files += 1;
      uploaded.bytes += variant.size;
    }
    uploaded.checked += 1;
    progress(uploaded.checked, missing.length, uploaded.bytes);
  });
  const compressed = await promisify(brotliCompress)(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: manifestQuality, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
  });
  const upload = async (key: string, body: Buffer) => {
    await store.write(key, { body: () => body, size: body.length, sha256: hash('sha256', body) });
    uploaded.bytes += body.length;
  };
  if (signer) await upload(signatureKey(manifest.id), await readFile(join(folder, signatureFile)));
  await upload(manifestKey(manifest.id), compressed);
  const pointer = pointerText(
    {
      release: manifest.id,
      sha256,
      size: text.length,
      compressedSize: compressed.length,
      publishedAt: timeAfter(now, before?.pointer),
    },
    signer,
  );
  await writePointer(store, pointer, before);
  uploaded.bytes += pointer.length;
  return { release: manifest.id, files: uploaded.files, bytes: uploaded.bytes, wasCurrent: false };
}

/** Now, but later than the last push, whose machine may have another clock. */
function timeAfter(now: Date, last: Pointer | undefined): string {
  const earliest = last ? Date.parse(last.publishedAt) + 1 : 0;
  return new Date(Math.max(now.getTime(), earliest)).toISOString();
}

/**
 * The hashes of the files that the store has because its current release has them. That release is usually here, too;
 * otherwise its manifest is downloaded. Without a manifest, the store is asked about each file.
 */
async function knownFiles(store: Store, distDir: string, pointer: Pointer | undefined): Promise<ReadonlySet<string>> {
  if (!pointer) return new Set();
  const local = join(distDir, releasesFolder, pointer.release);
  const manifest = await readManifest(local).catch(() =>
    fetchManifest(store, pointer).then(
      (fetched) => fetched.manifest,
      (error: unknown) => {
        if (error instanceof StoreError && !error.isTemporary) return undefined;
        throw error;
      },
    ),
  );
  return new Set(manifest && Array.from(storedVariants(manifest), ({ sha256 }) => sha256));
}

function distinctFiles(manifest: Manifest): Iterable<StoredVariant> {
  return new Map(Array.from(storedVariants(manifest), (variant) => [variant.sha256, variant])).values();
}

function toReleaseError(folder: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof DamagedRelease)) throw error;
    throw new ReleaseError(`Release ${basename(folder)} is damaged: ${error.message}. Nothing was published.`);
  };
}
