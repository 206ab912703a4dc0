import { createHash, hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inTime } from './in-time.ts';
import {
  DamagedRelease,
  type Manifest,
  manifestFile,
  parseManifest,
  type StoredVariant,
  storedVariants,
} from './manifest.ts';

/** Files hashed side by side: enough to keep a disk busy, few enough for any file limit. */
const parallelReads = 8;

/** Bytes read at once. */
const pieceSize = 64 * 1024;

/** Milliseconds for whatever is asked of the disk: a file of which nothing comes is as good as none. */
const diskTime = 10_000;

/** Characters of a mark: 96 bits in base64. */
const markLength = 16;

/** A release of which every file is as the manifest says. */
export interface VerifiedRelease {
  readonly manifest: Manifest;
  /** One for each file: which file had which bytes. */
  readonly marks: ReadonlySet<string>;
}

/**
 * Reads the manifest of the release in `folder` and holds every file of the release against it.
 *
 * @throws DamagedRelease when a file is missing, of another size, or has other bytes.
 */
export async function readWholeRelease(folder: string): Promise<Manifest> {
  return (await verifyRelease(folder, new Set())).manifest;
}

/**
 * Does the same, and reads no file that was verified before: one with the same inode, size and time of change,
 * of which the same bytes are asked.
 *
 * @param known marks of earlier verifications, also of other releases
 * @throws DamagedRelease when a file is missing, of another size, or has other bytes.
 */
export async function verifyRelease(folder: string, known: ReadonlySet<string>): Promise<VerifiedRelease> {
  const manifest = parseManifest(await readManifestText(folder));
  const marks = new Set<string>();
  const variants = storedVariants(manifest);
  const workers = Array.from({ length: parallelReads }, async () => {
    const buffer = Buffer.allocUnsafeSlow(pieceSize);
    for (const variant of variants) marks.add(await verifyVariant(folder, variant, known, buffer));
  });
  await Promise.all(workers);
  return { manifest, marks };
}

async function readManifestText(folder: string): Promise<string> {
  try {
    return await fromDisk(readFile(join(folder, manifestFile), 'utf8'));
  } catch (error) {
    throw new DamagedRelease(`${manifestFile} ${reason(error)}`);
  }
}

/**
 * Holds one file of a release against its manifest.
 *
 * @param known marks of files that need not be read again
 * @returns the file's mark
 * @throws DamagedRelease as above
 */
export async function verifyVariant(
  folder: string,
  variant: StoredVariant,
  known: ReadonlySet<string> = new Set(),
  buffer = Buffer.allocUnsafeSlow(pieceSize),
): Promise<string> {
  const { file, sha256 } = variant;
  const path = join(folder, file);
  try {
    if (known.size > 0) {
      const mark = markOf(await fromDisk(stat(path, { bigint: true })), sha256);
      if (known.has(mark)) return mark;
    }
    const handle = await fromDisk(open(path));
    try {
      // Before it is read: a change meanwhile makes another mark.
      const mark = markOf(await handle.stat({ bigint: true }), sha256);
      await verifyBytes(handle, variant, buffer);
      return mark;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof DamagedRelease ? error : new DamagedRelease(`${file} ${reason(error)}`);
  }
}

async function verifyBytes(
  handle: FileHandle,
  { file, size, sha256 }: StoredVariant,
  buffer: Buffer,
): Promise<void> {
  const digest = createHash('sha256');
  let read = 0;
  for (;;) {
    const { bytesRead } = await fromDisk(handle.read(buffer, 0, buffer.length, read));
    if (bytesRead === 0) break;
    digest.update(buffer.subarray(0, bytesRead));
    read += bytesRead;
  }
  if (read !== size) throw new DamagedRelease(`${file} has ${read} bytes, not ${size}`);
  if (digest.digest('hex') !== sha256)
    throw new DamagedRelease(`${file} does not match its checksum: it was changed`);
}

function fromDisk<Result>(asked: Promise<Result>): Promise<Result> {
  return inTime(asked, diskTime, () => new Error(`nothing came from the disk within ${diskTime / 1000} s`));
}

/** Stands for a file as it is and the bytes that it should have. A hard link is the same file. */
function markOf({ dev, ino, size, mtimeNs }: BigIntStats, sha256: string): string {
  return hash('sha256', `${dev} ${ino} ${size} ${mtimeNs} ${sha256}`, 'base64').slice(0, markLength);
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'is missing' : `cannot be read (${code ?? message})`;
}
