/** Compares the files of a release with its manifest. */
import { createHash, hash } from 'node:crypto';
import { type BigIntStats, close, fstat, open, read } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { inParallel } from './files.ts';
import {
  DamagedRelease,
  type Manifest,
  manifestFile,
  parseManifest,
  type StoredVariant,
  signatureFile,
  storedVariants,
} from './manifest.ts';
import { inTime } from './waits.ts';

/** File handles of `fs/promises` take twice the time, and a release has three files for each paper. */
const descriptors = {
  open: promisify(open),
  stat: promisify(fstat),
  read: promisify(read<Buffer>),
  close: promisify(close),
};

/** Files hashed concurrently: enough to keep a disk busy, few enough for any limit on open files. */
const parallelReads = 8;

/** Bytes of one read. */
const chunkSize = 64 * 1024;

/** Time limit of one disk operation in milliseconds. A file that cannot be read in time counts as damaged. */
const diskTimeout = 10_000;

/** Base64 characters of a mark: 96 bits. */
const markLength = 16;

/** A release whose files match the manifest, except those that its reader was told of. */
interface VerifiedRelease {
  readonly manifest: Manifest;
  /** One for each file that matches: its identity, size and time, and the hash of its bytes. */
  readonly marks: ReadonlySet<string>;
}

/**
 * Reads the manifest of the release in `folder` and verifies every file.
 *
 * @throws DamagedRelease when a file is missing or has other bytes
 */
export async function readVerifiedManifest(folder: string): Promise<Manifest> {
  return (await verifyRelease(folder, new Set())).manifest;
}

/**
 * Does the same, but skips files that were verified before: same inode, size, modification time and expected hash.
 *
 * @param verified marks of earlier verifications, also of other releases
 * @param onDamage is passed what is wrong with each damaged file; without it, the first one is thrown
 * @throws DamagedRelease when the manifest cannot be read, a file is missing or has other bytes, or the disk hangs
 */
export async function verifyRelease(
  folder: string,
  verified: ReadonlySet<string>,
  onDamage?: (problem: string) => void,
): Promise<VerifiedRelease> {
  const manifest = await readManifest(folder);
  const marks = new Set<string>();
  await forEachFile(manifest, async (variant, buffer) => {
    try {
      marks.add(await verifyVariant(folder, variant, verified, buffer));
    } catch (error) {
      // Other files of a disk that hangs would take as long.
      if (!onDamage || (error as DamagedRelease).cause instanceof HangingDisk) throw error;
      onDamage((error as DamagedRelease).message);
    }
  });
  return { manifest, marks };
}

/**
 * Lists everything that differs from the manifest: files that are missing, changed or not in it.
 *
 * @returns what is wrong, by file
 */
export async function findDamage(
  folder: string,
  manifest: Manifest,
): Promise<ReadonlyMap<string, string>> {
  const damage = new Map<string, string>();
  const listed = new Set([manifestFile, signatureFile]);
  await forEachFile(manifest, async (variant, buffer) => {
    listed.add(variant.file);
    await verifyVariant(folder, variant, new Set(), buffer).catch(({ message }) =>
      damage.set(variant.file, message),
    );
  });
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/');
    if (!entry.isDirectory() && !listed.has(file))
      damage.set(file, `${file} is not in the manifest`);
  }
  return new Map([...damage].sort());
}

/** Visits several files at a time, each run with a buffer of its own. */
async function forEachFile(
  manifest: Manifest,
  visit: (variant: StoredVariant, buffer: Buffer) => Promise<void>,
): Promise<void> {
  const buffers = Array.from({ length: parallelReads }, () => Buffer.allocUnsafeSlow(chunkSize));
  await inParallel(storedVariants(manifest), parallelReads, (variant, run) =>
    visit(variant, buffers[run] as Buffer),
  );
}

/** Reads the manifest of a release. @throws DamagedRelease when it is missing, unreadable or damaged */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await fromDisk(readFile(join(folder, manifestFile), 'utf8')).catch((error) => {
    throw new DamagedRelease(`${manifestFile} ${reason(error)}`);
  });
  return parseManifest(text);
}

/**
 * Verifies one file.
 *
 * @param verified marks of earlier verifications; see `verifyRelease`
 * @param buffer for reading
 * @returns its mark
 * @throws DamagedRelease when it is missing, unreadable or has other bytes
 */
export async function verifyVariant(
  folder: string,
  variant: StoredVariant,
  verified: ReadonlySet<string>,
  buffer: Buffer = Buffer.allocUnsafeSlow(chunkSize),
): Promise<string> {
  const { file, sha256 } = variant;
  const path = join(folder, file);
  try {
    if (verified.size > 0) {
      const mark = markOf(await fromDisk(stat(path, { bigint: true })), sha256);
      if (verified.has(mark)) return mark;
    }
    const descriptor = await fromDisk(descriptors.open(path, 'r'));
    try {
      // Before the file is read, so that a concurrent change gives another mark.
      const stats = await descriptors.stat(descriptor, { bigint: true });
      await verifyBytes(descriptor, variant, stats, buffer);
      return markOf(stats, sha256);
    } finally {
      await descriptors.close(descriptor);
    }
  } catch (error) {
    throw error instanceof DamagedRelease
      ? error
      : new DamagedRelease(`${file} ${reason(error)}`, { cause: error });
  }
}

async function verifyBytes(
  descriptor: number,
  { file, size, sha256 }: StoredVariant,
  stats: BigIntStats,
  buffer: Buffer,
): Promise<void> {
  const digest = createHash('sha256');
  for (let done = 0; done < size; ) {
    const { bytesRead } = await fromDisk(
      descriptors.read(descriptor, buffer, 0, buffer.length, done),
    );
    if (bytesRead === 0) break;
    digest.update(buffer.subarray(0, bytesRead));
    done += bytesRead;
  }
  if (Number(stats.size) !== size)
    throw new DamagedRelease(`${file} has ${stats.size} bytes, not ${size}`);
  if (digest.digest('hex') !== sha256)
    throw new DamagedRelease(`${file} does not match its checksum: it was changed`);
}

class HangingDisk extends Error {
  override readonly message = `the disk did not respond within ${diskTimeout / 1000} s`;
}

function fromDisk<Result>(operation: Promise<Result>): Promise<Result> {
  return inTime(operation, diskTimeout, () => new HangingDisk());
}

/** Identifies the state of a file and the bytes that it should have. A hard link is the same file. */
function markOf({ dev, ino, size, mtimeNs }: BigIntStats, sha256: string): string {
  return hash('sha256', `${dev} ${ino} ${size} ${mtimeNs} ${sha256}`, 'base64').slice(
    0,
    markLength,
  );
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? 'is missing'
    : `cannot be read (${code ?? message})`;
}
