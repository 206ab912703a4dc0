import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Below this many bytes a packet holds the body either way, and a coding gains nothing. */
const worthCoding = 512;

/** The content codings of RFC 9110, 8.4.1 that a release stores beside the bytes themselves. */
export interface Encodings {
  readonly br?: Buffer;
  readonly gzip?: Buffer;
}

/** The smaller forms of a body; none for media that are compressed already. */
export async function encode(body: Buffer, mediaType: string): Promise<Encodings> {
  if (body.length < worthCoding || !/^(text\/|application\/json|image\/svg\+xml)/.test(mediaType)) return {};
  const [br, gz] = await Promise.all([
    compressBrotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
    compressGzip(body, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { ...(br.length < body.length && { br }), ...(gz.length < body.length && { gzip: gz }) };
}
