/** Compressed variants of the files of a release. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib';
import { inParallel } from '../release/files.ts';
import { objectPath, writeObject } from '../release/objects.ts';
import type { StoredObject, StoredResource } from '../release/root.ts';

/** Below this many bytes one packet holds the body with or without compression. */
const worthCoding = 512;

/**
 * Brotli's best quality takes a hundred times as long as quality 5 and saves an eighth; gzip's best takes twice as long
 * and saves next to nothing. Public responses are few and requested often; protected ones are many and limited.
 */
const brotliQuality = { public: constants.BROTLI_MAX_QUALITY, protected: 5 } as const;
const gzipLevel = { public: constants.Z_BEST_COMPRESSION, protected: 6 } as const;
/** Bytes. For larger public bodies the best quality takes longer than the rest of a build of one changed question. */
const largeBody = 96 * 1024;
const qualityOfLarge = { brotli: 5, gzip: 6 } as const;

/**
 * Identifies how bodies are compressed. Bodies of another encoder are not reused.
 *
 * @param isQuick whether public bodies are compressed like protected ones
 */
export function encoderOf(isQuick: boolean): string {
  const access = isQuick ? 'protected' : 'public';
  const brotli = [
    brotliQuality[access],
    brotliQuality.protected,
    qualityOfLarge.brotli,
    qualityOfLarge.gzip,
    largeBody,
  ].join(' ');
  return `brotli ${process.versions['brotli']} ${brotli}, zlib ${process.versions.zlib} ${gzipLevel[access]} ${gzipLevel.protected}`;
}

/** Whether a body needs a key, which decides how much time its compression may take. */
type Access = keyof typeof brotliQuality;

/** An object that is to be compressed. */
export interface PlainObject extends StoredObject {
  readonly access: Access;
  readonly mediaType: string;
}

/** Its compressed variants. */
export type Codings = Pick<StoredResource, 'br' | 'gzip'>;

/** Objects that are compressed at the same time: the size of Node's own thread pool. */
const concurrency = 4;

/**
 * Compresses objects: in the main thread on Node's own thread pool, in a worker one after the other.
 *
 * @returns the variants, in the order of the objects
 * @throws the file system's own error, with the path of the file
 */
export async function compressObjects(
  distDir: string,
  objects: readonly PlainObject[],
): Promise<readonly Codings[]> {
  const codings: Codings[] = [];
  // The largest first, so that no thread waits for one that was started last.
  const queue = [...objects.entries()].sort(([, one], [, other]) => other.size - one.size);
  await inParallel(queue, isMainThread ? concurrency : 1, async ([index, object]) => {
    const body = readFileSync(join(distDir, objectPath(object.sha256)));
    codings[index] = await storeCodings(distDir, body, object.mediaType, object.access);
  });
  return codings;
}

/** Writes the compressed variants of a body as objects. */
export async function storeCodings(
  distDir: string,
  body: Buffer,
  mediaType: string,
  access: Access,
): Promise<Codings> {
  const { br, gzip: gz } = await encode(body, mediaType, access);
  return { br: br && writeObject(distDir, br), gzip: gz && writeObject(distDir, gz) };
}

/** Compresses a body; without effect for media types that are compressed already. */
export async function encode(body: Buffer, mediaType: string, access: Access) {
  if (body.length < worthCoding || !compressible.test(mediaType)) return {};
  const [br, gz] = await Promise.all([
    compressBrotli(body, brotliOptions(body, access)),
    compressGzip(body, {
      level: body.length > largeBody ? qualityOfLarge.gzip : gzipLevel[access],
    }),
  ]);
  return {
    br: br.length < body.length ? br : undefined,
    gzip: gz.length < body.length ? gz : undefined,
  };
}

const compressible = /^(text\/|application\/json|image\/svg\+xml)/;

/** In a worker thread the work stays there: Node's thread pool is shared by all threads. */
const compressBrotli = isMainThread
  ? promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)
  : async (body: Buffer, options: BrotliOptions) => brotliCompressSync(body, options);
const compressGzip = isMainThread
  ? promisify<Buffer, ZlibOptions, Buffer>(gzip)
  : async (body: Buffer, options: ZlibOptions) => gzipSync(body, options);

function brotliOptions({ length }: Buffer, access: Access): BrotliOptions {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]:
        length > largeBody ? qualityOfLarge.brotli : brotliQuality[access],
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
    },
  };
}
