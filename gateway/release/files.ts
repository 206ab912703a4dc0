/** Reads of release files, which verify the bytes, and end in time even when a disk hangs. */
import { createHash, hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { entityTag } from '../../build/release/headers.ts';
import { inTime } from '../../build/release/waits.ts';
import type { Variant } from './resource.ts';

/** Milliseconds that a read may take, including the wait for others. */
const timeLimit = 5_000;

/** Reads that may wait. */
const maxWaiting = 10_000;

/** Concurrent reads. Node has four threads for all file and DNS operations; one is left to the others. */
const maxReads = 3;

/** Bytes read at once of a streamed file. */
export const chunkSize = 64 * 1024;

/** A body on disk is missing, or not the one of the release. `build --repair` and `releases pull` replace it. */
export class DamagedBody extends Error {
  override readonly name = 'DamagedBody';
}

/** Limits how many files are read at once, and so the memory and descriptors of a burst of requests. */
export class DiskReads {
  /** In the order of their calls. */
  readonly #waiting: (() => void)[] = [];
  /** Files with a read that is past its time limit and has not ended. */
  readonly #hanging = new Set<string>();
  #acquired = 0;

  /**
   * Runs a read as soon as the limit allows it. One that hangs keeps its place until it ends.
   *
   * @param path names the file in the error
   * @throws what `read` throws; Error when it takes too long, or too many wait
   */
  run<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
    const hanging = () =>
      new Error(
        `${path} could not be read within ${timeLimit / 1000} s: the disk does not respond.`,
      );
    const isFull = this.#waiting.length >= maxWaiting || this.#hanging.size >= maxReads;
    if (isFull || this.#hanging.has(path)) return Promise.reject(hanging());
    let [isStarted, isLate] = [false, false];
    const reading = this.#inTurn(async () => {
      if (isLate) throw hanging();
      isStarted = true;
      return read().finally(() => this.#hanging.delete(path));
    });
    return inTime(reading, timeLimit, () => {
      isLate = true;
      if (isStarted) this.#hanging.add(path);
      return hanging();
    });
  }

  async #inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    if (this.#acquired < maxReads) this.#acquired += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await read();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#acquired -= 1;
    }
  }
}

/** Reads an object whole. @throws DamagedBody when it is missing or has other bytes */
export function readWhole({ object, etag, pathOf }: Variant, disk: DiskReads): Promise<Buffer> {
  const path = pathOf(object);
  return disk.run(path, async () => {
    const file = await openFile(path);
    try {
      // One byte more than expected, so that a longer file is detected.
      const size = object.size + 1;
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(size), 0, size, 0);
      const bytes = buffer.subarray(0, bytesRead);
      if (entityTag(hash('sha256', bytes, 'hex')) !== etag) throw changedFile(path);
      return bytes;
    } finally {
      await file.close();
    }
  });
}

/**
 * Reads an object in chunks. The last one comes only if all bytes are its own, so that no client mistakes a changed body
 * for a complete one. Once the first one is read, the others are, too, even if the release is removed.
 *
 * @throws DamagedBody when it is missing or has other bytes
 */
export async function* readChunks(
  { object, etag, pathOf }: Variant,
  disk: DiskReads,
): AsyncGenerator<Buffer> {
  const { size } = object;
  const path = pathOf(object);
  const digest = createHash('sha256');
  const file = await openInTime(path, disk);
  try {
    // Content-Length is sent before the bytes are read; another length would break the connection's framing.
    const stats = await disk.run(path, () => file.stat());
    if (stats.size !== size) throw changedFile(path);
    for (let position = 0; position < size; ) {
      const buffer = Buffer.allocUnsafeSlow(Math.min(chunkSize, size - position));
      const { bytesRead } = await disk.run(path, () =>
        file.read(buffer, 0, buffer.length, position),
      );
      if (bytesRead === 0) throw changedFile(path);
      const chunk = buffer.subarray(0, bytesRead);
      digest.update(chunk);
      position += bytesRead;
      if (position === size && entityTag(digest.digest('hex')) !== etag) throw changedFile(path);
      yield chunk;
    }
  } finally {
    // A read that hangs would keep a request waiting for it.
    void file.close().catch(() => {});
  }
}

/** Opens a file. One that opens too late is closed. */
async function openInTime(path: string, disk: DiskReads): Promise<FileHandle> {
  let opening: Promise<FileHandle> | undefined;
  const open = () => {
    opening = openFile(path);
    return opening;
  };
  return disk.run(path, open).catch((error) => {
    opening?.then((file) => file.close()).catch(() => {});
    throw error;
  });
}

async function openFile(path: string): Promise<FileHandle> {
  return open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new DamagedBody(`${path} is missing: the release was removed or damaged.`);
  });
}

function changedFile(path: string): Error {
  return new DamagedBody(`${path} does not match its checksum: it was changed.`);
}
