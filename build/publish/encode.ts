/** Stores the bodies of a release with their compressed variants. */
import { promisify } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
} from 'node:zlib';
import { writeObject } from '../release/objects.ts';
import type { StoredResource } from '../release/root.ts';

/** Below this many bytes one packet holds the body with or without compression. */
const worthCoding = 512;

/** Brotli's best quality takes a hundred times as long and saves an eighth; gzip's best saves next to nothing. */
const brotliQuality = 5;

/** Identifies how bodies are compressed. Those of another encoder are not used again. */
export const encoder = `brotli ${process.versions['brotli']} ${brotliQuality}, zlib ${process.versions.zlib}`;

const compressible = /^(text\/|application\/json|image\/svg\+xml)/;

/** In a worker thread the work stays there: Node's thread pool is shared by all threads. */
const compressBrotli = isMainThread
  ? promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)
  : async (body: Buffer, options: BrotliOptions) => brotliCompressSync(body, options);
const compressGzip = isMainThread
  ? promisify<Buffer, Buffer>(gzip)
  : async (body: Buffer) => gzipSync(body);

/**
 * Writes a body and its compressed variants, if they are smaller, as objects.
 *
 * @throws the file system's own error, with the path of the file
 */
export async function storeResource(
  distDir: string,
  mediaType: string,
  body: Buffer,
): Promise<StoredResource> {
  const identity = writeObject(distDir, body);
  if (body.length < worthCoding || !compressible.test(mediaType)) return { mediaType, identity };
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  const encoded = await Promise.all([compressBrotli(body, { params }), compressGzip(body)]);
  const [br, gz] = encoded.map((bytes) =>
    bytes.length < body.length ? writeObject(distDir, bytes) : undefined,
  );
  return { mediaType, identity, br, gzip: gz };
}
