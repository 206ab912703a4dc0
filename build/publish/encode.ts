import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Below this many bytes a packet holds the body either way, and a coding gains nothing. */
const worthCoding = 512;

/**
 * Brotli's best takes a hundred times as long as this one, and saves an eighth; gzip's twice as long, and saves next to
 * nothing. Public answers are sent from everywhere to everyone; those that need a key are many, and counted.
 */
const brotliQuality = { public: constants.BROTLI_MAX_QUALITY, protected: 5 } as const;
const gzipLevel = { public: constants.Z_BEST_COMPRESSION, protected: 6 } as const;
/** Of public answers so large, the last percents would take minutes. */
const largeBody = 1024 * 1024;
const brotliOfLarge = 7;

/** What decides how a body is compressed: codings that another made are not taken over. */
export const encoder = [
  `brotli ${process.versions['brotli']} ${brotliQuality.public} ${brotliQuality.protected} ${brotliOfLarge}`,
  `zlib ${process.versions.zlib} ${gzipLevel.public} ${gzipLevel.protected}`,
].join(', ');

/** Whether a body needs a key: it decides how much time its compression is worth. */
export type Access = keyof typeof brotliQuality;

/** The content codings of RFC 9110, 8.4.1 that a release stores beside the bytes themselves. */
export interface Encodings {
  readonly br?: Buffer;
  readonly gzip?: Buffer;
}

/** The smaller forms of a body, made on Node's pool of threads; none for media that are compressed already. */
export async function encode(body: Buffer, mediaType: string, access: Access): Promise<Encodings> {
  if (!isWorthCoding(body, mediaType)) return {};
  const [br, gz] = await Promise.all([
    compressBrotli(body, brotliOptions(body, access)),
    compressGzip(body, gzipOptions(access)),
  ]);
  return smaller(body, br, gz);
}

/** The same, made in this thread. */
export function encodeHere(body: Buffer, mediaType: string, access: Access): Encodings {
  if (!isWorthCoding(body, mediaType)) return {};
  return smaller(
    body,
    brotliCompressSync(body, brotliOptions(body, access)),
    gzipSync(body, gzipOptions(access)),
  );
}

function isWorthCoding(body: Buffer, mediaType: string): boolean {
  return body.length >= worthCoding && /^(text\/|application\/json|image\/svg\+xml)/.test(mediaType);
}

function gzipOptions(access: Access): ZlibOptions {
  return { level: gzipLevel[access] };
}

function brotliOptions({ length }: Buffer, access: Access): BrotliOptions {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: length > largeBody ? brotliOfLarge : brotliQuality[access],
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
    },
  };
}

function smaller({ length }: Buffer, br: Buffer, gz: Buffer): Encodings {
  return { ...(br.length < length && { br }), ...(gz.length < length && { gzip: gz }) };
}
