import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { entityTag } from '../../build/release/headers.ts';
import { openFile, otherBytes } from './bodies.ts';
import type { DiskReads } from './disk-reads.ts';
import type { Variant } from './resource.ts';

/** Bytes read at once. */
const pieceSize = 64 * 1024;

/** A file that is too large to be kept, open to be sent. */
export interface StreamedFile {
  /**
   * Its bytes, once. The last ones come only if all are what the manifest says: no client takes what was changed for whole.
   *
   * @throws HangingDisk; Error when the file has other bytes
   */
  pieces(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/**
 * Opens a file that is as long as the manifest says.
 *
 * @throws MissingFile; HangingDisk; Error when it has another length
 */
export async function openStream(
  { folder, file, size, etag }: Variant,
  disk: DiskReads,
): Promise<StreamedFile> {
  const path = join(folder, file);
  const handle = await disk.read(path, (signal) => openWhole(path, size, signal));

  async function* pieces(): AsyncGenerator<Buffer> {
    const digest = createHash('sha256');
    for (let at = 0; at < size; ) {
      const room = Buffer.allocUnsafeSlow(Math.min(pieceSize, size - at));
      const { bytesRead } = await disk.read(path, () => handle.read(room, 0, room.length, at));
      if (bytesRead === 0) throw otherBytes(path);
      const piece = room.subarray(0, bytesRead);
      digest.update(piece);
      at += bytesRead;
      if (at === size && entityTag(digest.digest('hex')) !== etag) throw otherBytes(path);
      yield piece;
    }
  }

  return { pieces, close: () => handle.close() };
}

/** @param signal aborted: no one waits for the file any more */
async function openWhole(path: string, size: number, signal: AbortSignal): Promise<FileHandle> {
  const handle = await openFile(path);
  try {
    const found = await handle.stat();
    // The length is promised before the bytes are read; another one would break the connection's framing.
    if (found.size !== size)
      throw new Error(`${path} has ${found.size} bytes, not ${size}: the release was changed.`);
    signal.throwIfAborted();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
