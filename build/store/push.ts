import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { inParallel, writeFileAtomically } from '../release/files.ts';
import {
  currentLink,
  DamagedRelease,
  type Manifest,
  manifestFile,
  type StoredVariant,
  signatureFile,
  storedVariants,
} from '../release/manifest.ts';
import { ReleaseError } from '../release/releases.ts';
import { hasSigner, type PublicKeys, parsePublicKeys, type Signer } from '../release/signature.ts';
import { readManifest, verifyVariant } from '../release/verify.ts';
import {
  fileKey,
  manifestKey,
  pointerText,
  readReplaced,
  signatureKey,
  writePointer,
} from './pointer.ts';
import { parallelRequests, type Store } from './store.ts';

/** In `dist`: the highest sequence number that was pushed from there. */
const pushedFile = 'pushed.json';

/** A fifth larger than with the highest quality, in a hundredth of the time: mostly hashes. */
const manifestQuality = 5;

export interface PushOptions {
  readonly distDir: string;
  /** Signs the pointer; undefined if the release is not signed. */
  readonly signer: Signer | undefined;
  /** Who may have signed the pointer that is replaced, besides the signer. */
  readonly publicKeys: PublicKeys;
  /** Uploads every file, also those that the store has. */
  readonly all: boolean;
  readonly now: Date;
  /** Is passed what the user should know, as a sentence. */
  readonly warn: (message: string) => void;
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
 * Uploads the current release to a store: the files that a list of the store lacks or has with another size, then the
 * manifest and its signature, and last the pointer, which it renews if the release is current already. What a push that
 * was stopped has uploaded is used by the next one.
 *
 * @throws ReleaseError when there is no release to push; StoreError; the file system's own error
 */
export async function push(store: Store, options: PushOptions): Promise<PushResult> {
  const { distDir, signer, publicKeys, all, now, warn, progress } = options;
  const folder = await realpath(join(distDir, currentLink)).catch(() => {
    throw new ReleaseError(
      `${join(distDir, currentLink)} is missing. Run npx pastpaper build first.`,
    );
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
  const before = await readReplaced(
    store,
    signer && [...parsePublicKeys(signer.publicKey), ...publicKeys],
  );
  const sequence = Math.min(
    Math.max(await lastSequence(distDir), before.pointer?.sequence ?? 0) + 1,
    Number.MAX_SAFE_INTEGER,
  );
  if (before.problem !== undefined)
    warn(
      `${store.name}: ${before.problem}. This push replaces it, with sequence number ${sequence}. ` +
        'Find out who wrote it. Gateways that have seen a higher number from this store reject the release.',
    );
  const stored = all ? new Map<string, number>() : await storedFiles(store);
  const missing = [...distinctFiles(manifest)].filter(
    ({ sha256, size }) => stored.get(fileKey(sha256)) !== size,
  );
  const uploaded = { files: 0, bytes: 0 };
  await inParallel(missing, parallelRequests, async (variant) => {
    await verifyVariant(folder, variant, new Set()).catch(toReleaseError(folder));
    await store.write(fileKey(variant.sha256), {
      ...variant,
      body: () => createReadStream(join(folder, variant.file)),
    });
    uploaded.files += 1;
    uploaded.bytes += variant.size;
    progress(uploaded.files, missing.length, uploaded.bytes);
  });
  const compressed = await promisify(brotliCompress)(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: manifestQuality,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
  const upload = async (key: string, body: Buffer) => {
    await store.write(key, { body: () => body, size: body.length, sha256: hash('sha256', body) });
    uploaded.bytes += body.length;
  };
  if (signer) await upload(signatureKey(manifest.id), await readFile(join(folder, signatureFile)));
  await upload(manifestKey(manifest.id), compressed);
  const sizes = { size: text.length, compressedSize: compressed.length };
  const publishedAt = now.toISOString();
  const pointer = pointerText(
    { release: manifest.id, sha256, ...sizes, publishedAt, sequence },
    signer,
  );
  // Before the pointer: a number may be skipped, but never used twice.
  await writeFileAtomically(join(distDir, pushedFile), `${JSON.stringify({ sequence })}\n`);
  if (!(await writePointer(store, pointer, before.etag)))
    warn(
      `${store.name} does not support conditional writes. ` +
        'If two machines push at the same time, neither notices it, and the later push wins.',
    );
  uploaded.bytes += pointer.length;
  const wasCurrent = before.pointer?.sha256 === sha256;
  return { release: manifest.id, files: uploaded.files, bytes: uploaded.bytes, wasCurrent };
}

/** The last sequence number that was pushed from a folder; 0: none was. */
async function lastSequence(distDir: string): Promise<number> {
  const { sequence } = await readFile(join(distDir, pushedFile), 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
  return Number.isSafeInteger(sequence) ? sequence : 0;
}

/** The sizes of the files in a store, by key. */
async function storedFiles(store: Store): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  await inParallel('0123456789abcdef', parallelRequests, async (digit) => {
    for (const [key, size] of await store.list(`files/${digit}`)) sizes.set(key, size);
  });
  return sizes;
}

function distinctFiles(manifest: Manifest): Iterable<StoredVariant> {
  return new Map(
    Array.from(storedVariants(manifest), (variant) => [variant.sha256, variant]),
  ).values();
}

function toReleaseError(folder: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof DamagedRelease)) throw error;
    throw new ReleaseError(
      `Release ${basename(folder)} is damaged: ${error.message}. Nothing was published.`,
    );
  };
}
