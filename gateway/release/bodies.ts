import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { entityTag } from '../../build/release/headers.ts';
import { DiskReads } from './disk-reads.ts';
import type { Variant } from './resource.ts';

/** Bytes of the largest body that is kept; beyond, it is streamed. */
const largestKept = 256 * 1024;

/**
 * Bytes of the largest body that is kept as a string, each byte a character. Node sends such a one together with the
 * header in one piece, and V8 soon finds one that is no longer kept; of buffers it lets 64 MB pile up. Larger ones take
 * longer to send as a string.
 */
const largestText = 64 * 1024;

/** A body, or the same bytes as characters of latin1. */
export type Body = Buffer | string;

/**
 * Bytes that a body takes in memory: half as many more lie idle between bodies and in those that V8 has not found yet,
 * as `npm run bench -- memory` shows.
 */
function footprint(body: Body): number {
  return Math.ceil(1.5 * body.length) + 200;
}

/** The release holds no such file any more: it was pruned, or damaged since it was loaded. */
export class MissingFile extends Error {
  override readonly name = 'MissingFile';
}

/**
 * Bodies read from disk, the last used ones kept within a bound. They are kept by ETag, that is by their bytes: what a
 * new release has in common with the old one need not be read again, and no answer gets another one's body.
 */
export class Bodies {
  /** Bytes of the largest body to be read whole. */
  readonly largest: number;
  /** By which every body is read. */
  readonly disk = new DiskReads();
  readonly #kept: LRUCache<string, Body>;
  readonly #reading = new Map<Variant, Promise<Body>>();

  /** @param bound bytes that all kept bodies may take */
  constructor(bound: number) {
    this.largest = Math.min(largestKept, bound);
    this.#kept = new LRUCache({
      maxSize: bound,
      sizeCalculation: footprint,
    });
  }

  /** Bytes that the kept bodies take. */
  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /** The body where it is kept. */
  get({ etag }: Variant): Body | undefined {
    return this.#kept.get(etag);
  }

  /**
   * Reads a body, once for all who ask meanwhile, and keeps it.
   *
   * @throws MissingFile; HangingDisk; Error when the file has other bytes than the manifest says
   */
  read(variant: Variant): Promise<Body> {
    const reading =
      this.#reading.get(variant) ?? this.#load(variant).finally(() => this.#reading.delete(variant));
    this.#reading.set(variant, reading);
    return reading;
  }

  async #load(variant: Variant): Promise<Body> {
    const bytes = await this.disk.read(join(variant.folder, variant.file), () => readBytes(variant));
    const body = bytes.length <= largestText ? bytes.toString('latin1') : bytes;
    this.#kept.set(variant.etag, body);
    return body;
  }
}

async function readBytes({ folder, file, size, etag }: Variant): Promise<Buffer> {
  const path = join(folder, file);
  const handle = await openFile(path);
  try {
    // One more than there should be, so that a longer file is found out.
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(size + 1), 0, size + 1, 0);
    const bytes = buffer.subarray(0, bytesRead);
    if (entityTag(hash('sha256', bytes, 'hex')) !== etag) {
      throw otherBytes(path);
    }
    return bytes;
  } finally {
    await handle.close();
  }
}

/** What is told of a file that has changed since the release was loaded. */
export function otherBytes(path: string): Error {
  return new Error(`${path} has other bytes than the manifest says: the release was changed.`);
}

/** Opens a file of a release. Once open, it can be read to its end even if the release is removed meanwhile. */
export async function openFile(path: string) {
  return open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new MissingFile(`${path} is missing: the release was removed or damaged.`);
  });
}
