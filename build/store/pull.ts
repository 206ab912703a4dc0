import { createHash, hash } from 'node:crypto';
import { readFile, realpath, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { configFile } from '../release/config.ts';
import { openDraft } from '../release/draft.ts';
import { inParallel, writeFileAtomically } from '../release/files.ts';
import {
  currentLink,
  DamagedRelease,
  type Manifest,
  manifestFile,
  parseManifest,
  releasesFolder,
  type StoredResource,
  type StoredVariant,
  signatureFile,
  storedVariants,
} from '../release/manifest.ts';
import { isSigned, isSignedText, type PublicKeys, publicKeyPath } from '../release/signature.ts';
import { switchCurrent } from '../release/switch.ts';
import { readManifest, readVerifiedManifest, verifyVariant } from '../release/verify.ts';
import { fileKey, manifestKey, type Pointer, type ReadPointer, signatureKey } from './pointer.ts';
import { parallelRequests, type Store, StoreError } from './store.ts';

/** In `dist`: which pointer of which store was pulled last. */
const pulledFile = 'pulled.json';

/** URL path of the API description. Its title is the name of the bank, which the signature of a release thus covers. */
const descriptionPath = 'docs/openapi.json';

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
  /** Marks of files of the current release that were verified before; see `verifyRelease`. */
  readonly verified: ReadonlySet<string>;
  readonly now: Date;
  /** Is called as files are downloaded. */
  readonly progress: (done: number, total: number, bytes: number) => void;
}

export interface PullResult {
  /** The name of the release's folder. */
  readonly name: string;
  /** Files that were downloaded. The others are hard links. */
  readonly files: number;
  /** Bytes that were downloaded, the manifest included. */
  readonly bytes: number;
}

/**
 * Downloads the release that the pointer of a store names, and makes it the current one. Files that the current release
 * has are not downloaded. The bytes of every file, old and new, are verified. After an error, `dist` is unchanged.
 *
 * @throws StoreError when the release is incomplete, damaged, not signed with a key or older than the last one, or the
 * store is down; the file system's own error
 */
export async function pull(store: Store, options: PullOptions): Promise<PullResult> {
  const { distDir, read, now } = options;
  const { pointer, text } = read;
  rejectOlder(pointer, await lastPulled(distDir, store.name));
  const found = (await existing(options)) ?? (await download(store, options));
  await switchCurrent(distDir, found, now);
  const { publishedAt, sequence } = pointer;
  const pulled: Pulled = { store: store.name, pointer: text, publishedAt, sequence };
  await writeFileAtomically(join(distDir, pulledFile), `${JSON.stringify(pulled)}\n`);
  return { name: found.name, files: found.files, bytes: found.bytes };
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

interface FoundRelease extends PullResult {
  readonly manifest: Manifest;
}

/** The release, if it is in `dist` already and undamaged. */
async function existing({
  distDir,
  read,
  ...signed
}: PullOptions): Promise<FoundRelease | undefined> {
  const { publicKeys } = signed;
  const { release, sha256 } = read.pointer;
  const folder = join(distDir, releasesFolder, release);
  const text = await readFile(join(folder, manifestFile)).catch(() => undefined);
  if (!text || hash('sha256', text) !== sha256) return undefined;
  const manifest = await readVerifiedManifest(folder).catch(() => undefined);
  if (!manifest || (publicKeys && !(await isSigned(folder, manifest, publicKeys))))
    return undefined;
  const readVerified = ({ file }: StoredVariant) => readFile(join(folder, file));
  if ((await otherBankOf(manifest, signed, readVerified)) !== undefined) return undefined;
  return { name: release, manifest, files: 0, bytes: 0 };
}

async function download(
  store: Store,
  { distDir, read: { pointer }, verified, progress, ...signed }: PullOptions,
): Promise<FoundRelease> {
  const { manifest, text } = await fetchManifest(store, pointer);
  const signature = await fetchSignature(store, pointer, manifest, signed);
  // Resolved once, so that a release published meanwhile cannot mix with this one.
  const current = await realpath(join(distDir, currentLink)).catch(() => undefined);
  const local = current === undefined ? new Map() : await filesOf(current);
  const draft = await openDraft(distDir);
  try {
    const missing = new Map<string, StoredVariant[]>();
    const isLinked = async (variant: StoredVariant): Promise<boolean> => {
      const file = local.get(variant.sha256);
      if (current === undefined || file === undefined) return false;
      const isWhole = await verifyVariant(current, { ...variant, file }, verified).then(
        () => true,
        () => false,
      );
      if (isWhole) draft.link(current, file, variant.file);
      return isWhole;
    };
    await inParallel(storedVariants(manifest), parallelRequests, async (variant) => {
      if (await isLinked(variant)) return;
      const copies = missing.get(variant.sha256);
      if (copies) copies.push(variant);
      else missing.set(variant.sha256, [variant]);
    });
    const downloads = [...missing.values()];
    const size = downloads.reduce((sum, [variant]) => sum + (variant?.size ?? 0), 0);
    await checkSpace(distDir, size);
    const downloaded = { files: 0, bytes: 0 };
    await inParallel(downloads, parallelRequests, async ([first, ...copies]) => {
      if (!first) return;
      await fetchFile(store, first, draft.place(first.file));
      for (const { file } of copies) draft.link(draft.folder, first.file, file);
      downloaded.files += 1;
      downloaded.bytes += first.size;
      progress(downloaded.files, downloads.length, downloaded.bytes);
    });
    draft.write(manifestFile, text);
    const name = await draft.settle(manifest.id);
    // If the release was there already, its signature may be damaged.
    if (signature)
      await writeFileAtomically(join(distDir, releasesFolder, name, signatureFile), signature);
    const bytes = downloaded.bytes + pointer.compressedSize + (signature?.length ?? 0);
    return { name, manifest, files: downloaded.files, bytes };
  } finally {
    draft.remove();
  }
}

/** Whether a release in a store is as it was pushed. */
export interface StoredRelease {
  readonly release: string;
  readonly files: number;
  /** The size of all files. */
  readonly bytes: number;
  /** What is wrong, one sentence each. */
  readonly damage: readonly string[];
}

/**
 * Downloads every file of the release that the pointer of a store names, and verifies its bytes.
 *
 * @throws StoreError when the manifest cannot be used, or the store is down
 */
export async function verifyStored(
  store: Store,
  { read, progress, ...signed }: Omit<PullOptions, 'distDir' | 'verified' | 'now'>,
): Promise<StoredRelease> {
  const { manifest } = await fetchManifest(store, read.pointer);
  await fetchSignature(store, read.pointer, manifest, signed);
  const variants = [
    ...new Map(Array.from(storedVariants(manifest), (each) => [each.sha256, each])).values(),
  ];
  const checked = { files: 0, bytes: 0 };
  const damage: string[] = [];
  await inParallel(variants, parallelRequests, async ({ size, sha256 }) => {
    const key = fileKey(sha256);
    const digest = await digestOf(store, key, size).catch((error: unknown) => {
      if (!(error instanceof StoreError) || error.isTemporary) throw error;
      return error;
    });
    if (digest instanceof StoreError) damage.push(digest.message);
    else if (digest !== sha256) damage.push(`${key} does not match its checksum`);
    checked.files += 1;
    checked.bytes += size;
    progress(checked.files, variants.length, checked.bytes);
  });
  return { release: manifest.id, ...checked, damage: damage.sort() };
}

async function digestOf(store: Store, key: string, size: number): Promise<string> {
  let digest = '';
  await store.download(key, size, async (pieces) => {
    const hashed = createHash('sha256');
    for await (const piece of pieces) hashed.update(piece);
    digest = hashed.digest('hex');
  });
  return digest;
}

/**
 * Downloads the manifest that a pointer names.
 *
 * @throws StoreError when it is missing, has other bytes, or names files outside the release
 */
async function fetchManifest(
  store: Store,
  { release, sha256, size, compressedSize }: Pointer,
): Promise<{ readonly manifest: Manifest; readonly text: Buffer }> {
  const key = manifestKey(release);
  const compressed = await wholeObject(store, key, compressedSize);
  const text = await promisify(brotliDecompress)(compressed, { maxOutputLength: size }).catch(
    () => undefined,
  );
  if (!text || hash('sha256', text) !== sha256)
    throw new StoreError(`${key} does not match its checksum: it is truncated or was changed`);
  try {
    const manifest = parseManifest(text.toString());
    if (manifest.id !== release) throw new DamagedRelease(`its id is ${manifest.id}`);
    const variants = [...storedVariants(manifest)];
    const files = new Map(variants.map(({ file, sha256 }) => [file, sha256]));
    if (variants.some(({ file, sha256 }) => files.get(file) !== sha256))
      throw new DamagedRelease('it names a file twice, with different bytes');
    return { manifest, text };
  } catch (error) {
    if (!(error instanceof DamagedRelease)) throw error;
    throw new StoreError(`${key} cannot be used: ${error.message}`);
  }
}

/** @returns undefined if the release is not signed @throws StoreError when it is of others, or another bank */
async function fetchSignature(
  store: Store,
  { release, sha256 }: Pointer,
  manifest: Manifest,
  signed: Signed,
): Promise<Buffer | undefined> {
  const { publicKeys } = signed;
  if (!publicKeys && !manifest.public[publicKeyPath]) return undefined;
  const signature = await wholeObject(store, signatureKey(release), maxSignatureSize);
  if (publicKeys && !isSignedText(signature.toString(), sha256, publicKeys))
    throw new StoreError(`release ${release} is not signed with this key`);
  const other = await otherBankOf(manifest, signed, async ({ sha256, size }) => {
    const key = fileKey(sha256);
    const bytes = await wholeObject(store, key, size);
    if (hash('sha256', bytes) !== sha256)
      throw new StoreError(`${key} does not match its checksum: it is truncated or was changed`);
    return bytes;
  });
  if (other !== undefined)
    throw new StoreError(
      `release ${release} belongs to the bank "${other}", and this is the bank "${signed.bank}". ` +
        `If the bank was renamed, change its name in ${configFile} here, too`,
    );
  return signature;
}

/** The name of the bank of a release, if the release must be signed and belongs to another bank. */
async function otherBankOf(
  manifest: Manifest,
  { publicKeys, bank }: Signed,
  read: (variant: StoredVariant) => Promise<Buffer>,
): Promise<string | undefined> {
  const description: StoredResource | undefined = manifest.public[descriptionPath];
  if (!publicKeys || bank === undefined || !description) return undefined;
  const { title } = JSON.parse((await read(description.identity)).toString()).info;
  return title === bank ? undefined : title;
}

async function wholeObject(store: Store, key: string, maxSize: number): Promise<Buffer> {
  const object = await store.read(key, maxSize);
  if (object === undefined || object === 'unchanged') throw new StoreError(`${key} is missing`);
  return object.body;
}

/** The files of a release by the hash of their bytes; none if its manifest cannot be read. */
async function filesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const manifest = await readManifest(folder).catch(() => undefined);
  return new Map(
    manifest && Array.from(storedVariants(manifest), ({ sha256, file }) => [sha256, file]),
  );
}

/** Downloads a file and verifies its bytes. @throws StoreError when they are other ones, after some attempts */
async function fetchFile(
  store: Store,
  { size, sha256 }: StoredVariant,
  path: string,
): Promise<void> {
  const key = fileKey(sha256);
  await store.download(key, size, async (pieces) => {
    const digest = createHash('sha256');
    const hashed = async function* () {
      for await (const piece of pieces) {
        digest.update(piece);
        yield piece;
      }
    };
    // Unlike a stream, it has closed the file before it fails: the draft can be removed.
    await writeFile(path, hashed());
    if (digest.digest('hex') !== sha256)
      throw new StoreError(
        `${key} does not match its checksum: it is truncated or was changed`,
        true,
      );
  });
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
