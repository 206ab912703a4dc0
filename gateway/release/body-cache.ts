import { LRUCache } from 'lru-cache';
import { DiskReads, readWhole } from './files.ts';
import type { Variant } from './resource.ts';

/** Bytes of the largest cached body; larger ones are streamed. */
const maxCached = 256 * 1024;

/**
 * Bytes of the largest body cached as a string, each byte a character. Node sends a string together with the header in
 * one write, and V8 soon frees one that leaves the cache, while 64 MB of buffers can pile up. Larger bodies take longer
 * to send as a string.
 */
const maxString = 64 * 1024;

/** The bytes of a body, or the same as latin1 characters. */
export type Body = Buffer | string;

/**
 * Estimates the memory of a body in bytes: half as much more is unused or not yet freed (`npm run bench -- memory`).
 */
function memoryOf(body: Body): number {
  return Math.ceil(1.5 * body.length) + 200;
}

/**
 * Caches the most recently used bodies within a bound. The cache key is the ETag, and so the bytes: a new release
 * shares the bodies that did not change, and no response gets the body of another.
 */
export class BodyCache {
  /** Bytes of the largest body to be cached. */
  readonly largest: number;
  /** Bytes that all cached bodies may take. */
  readonly bound: number;
  readonly disk = new DiskReads();
  /** Requests for bodies: cached, read from disk, too large to be cached. */
  readonly requests = { hit: 0, miss: 0, streamed: 0 };
  /** Requests whose body is damaged on disk, and was not sent. */
  damaged = 0;
  readonly #bodies: LRUCache<string, Body>;
  readonly #loading = new Map<Variant, Promise<Body>>();

  /** @param bound bytes that all cached bodies may take */
  constructor(bound: number) {
    this.largest = Math.min(maxCached, bound);
    this.bound = bound;
    this.#bodies = new LRUCache({ maxSize: bound, sizeCalculation: memoryOf });
  }

  /** Bytes that the cached bodies take. */
  get bytes(): number {
    return this.#bodies.calculatedSize;
  }

  /** The body if it is cached. */
  get({ etag, object, body: own }: Variant): Body | undefined {
    const body = own ?? this.#bodies.get(etag);
    if (body !== undefined) this.requests.hit += 1;
    else if (object.size > this.largest) this.requests.streamed += 1;
    else this.requests.miss += 1;
    return body;
  }

  /**
   * Reads a body into the cache; concurrent calls for it share one read.
   *
   * @throws MissingFile; HangingDisk; DamagedBody
   */
  read(variant: Variant): Promise<Body> {
    const loading =
      this.#loading.get(variant) ??
      this.#load(variant).finally(() => this.#loading.delete(variant));
    this.#loading.set(variant, loading);
    return loading;
  }

  async #load(variant: Variant): Promise<Body> {
    const bytes = await readWhole(variant, this.disk);
    const body = bytes.length <= maxString ? bytes.toString('latin1') : bytes;
    this.#bodies.set(variant.etag, body);
    return body;
  }
}
