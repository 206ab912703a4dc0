/** Reads of release files, which end in time even when a disk hangs, and which verify the bytes. */
import { createHash, hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { entityTag } from '../../build/release/headers.ts';
import { inTime } from '../../build/release/waits.ts';
import { Semaphore } from '../semaphore.ts';
import type { Variant } from './resource.ts';

/** Milliseconds that a read may take, including the wait for the semaphores. */
const timeLimit = 5_000;

/** Concurrent reads. Node has four threads for all file and DNS operations; one is left to the others. */
const maxReads = 3;

/** Reads that may wait. */
const maxWaiting = 10_000;

/** Bytes read at once of a streamed file. */
const chunkSize = 64 * 1024;

/** A disk does not respond. The message names the file. */
export class HangingDisk extends Error {
  override readonly name = 'HangingDisk';

  constructor(path: string) {
    super(`${path} could not be read within ${timeLimit / 1000} s: the disk does not respond.`);
  }
}

/** The release no longer contains the file: it was pruned, or damaged since it was loaded. */
export class MissingFile extends Error {
  override readonly name = 'MissingFile';
}

/** A body on disk is not the one of the release. `build --repair` and `releases pull` replace it. */
export class DamagedBody extends Error {
  override readonly name = 'DamagedBody';
}

/**
 * Limits reads of files whose disk may hang: each read ends in time for its caller, and while all threads hang nothing
 * waits for them.
 */
export class DiskReads {
  readonly #semaphore = new Semaphore(maxReads, maxWaiting);
  /** Files with a read that is past its time limit and has not ended. */
  readonly #hanging = new Set<string>();

  /**
   * Runs a read of a file.
   *
   * @param run its signal aborts when nobody waits for the result any more
   * @throws HangingDisk when the read takes too long; what `run` throws
   */
  async read<Result>(path: string, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.#hanging.has(path) || this.#hanging.size >= maxReads) throw new HangingDisk(path);
    const timeout = new AbortController();
    const { signal } = timeout;
    const reading = this.#semaphore.run(signal, async () => {
      signal.addEventListener('abort', () => this.#hanging.add(path));
      return run(signal).finally(() => this.#hanging.delete(path));
    });
    return inTime(reading, timeLimit, () => {
      timeout.abort(new HangingDisk(path));
      return signal.reason;
    });
  }
}

/** Reads an object whole. @throws MissingFile; HangingDisk; DamagedBody when it has other bytes */
export function readWhole({ object, etag, pathOf }: Variant, disk: DiskReads): Promise<Buffer> {
  const { size } = object;
  const path = pathOf(object);
  return disk.read(path, async () => {
    const handle = await openFile(path);
    try {
      // One byte more than expected, so that a longer file is detected.
      const { buffer, bytesRead } = await handle.read(
        Buffer.allocUnsafeSlow(size + 1),
        0,
        size + 1,
        0,
      );
      const bytes = buffer.subarray(0, bytesRead);
      if (entityTag(hash('sha256', bytes, 'hex')) !== etag) throw changedFile(path);
      return bytes;
    } finally {
      await handle.close();
    }
  });
}

/**
 * Opens an object that has its length.
 *
 * @throws MissingFile; HangingDisk; DamagedBody when it has another length
 */
export function openWhole({ object, pathOf }: Variant, disk: DiskReads): Promise<FileHandle> {
  const { size } = object;
  const path = pathOf(object);
  return disk.read(path, async (signal) => {
    const handle = await openFile(path);
    try {
      const stats = await handle.stat();
      // Content-Length is sent before the bytes are read; another length would break the connection's framing.
      if (stats.size !== size)
        throw new DamagedBody(`${path} has ${stats.size} bytes, not ${size}: it was changed.`);
      signal.throwIfAborted();
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  });
}

/**
 * Reads an open object in chunks. The last one comes only if all bytes are its own, so that no client mistakes a
 * changed body for a complete one.
 *
 * @throws HangingDisk; DamagedBody when it has other bytes
 */
export async function* readChunks(
  handle: FileHandle,
  { object, etag, pathOf }: Variant,
  disk: DiskReads,
): AsyncGenerator<Buffer> {
  const { size } = object;
  const path = pathOf(object);
  const digest = createHash('sha256');
  for (let position = 0; position < size; ) {
    const buffer = Buffer.allocUnsafeSlow(Math.min(chunkSize, size - position));
    const { bytesRead } = await disk.read(path, () =>
      handle.read(buffer, 0, buffer.length, position),
    );
    if (bytesRead === 0) throw changedFile(path);
    const chunk = buffer.subarray(0, bytesRead);
    digest.update(chunk);
    position += bytesRead;
    if (position === size && entityTag(digest.digest('hex')) !== etag) throw changedFile(path);
    yield chunk;
  }
}

/** Opens a file. From then on it can be read to its end even if the release is removed. */
async function openFile(path: string): Promise<FileHandle> {
  return open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new MissingFile(`${path} is missing: the release was removed or damaged.`);
  });
}

function changedFile(path: string): Error {
  return new DamagedBody(`${path} does not match its checksum: it was changed.`);
}
