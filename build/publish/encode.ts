import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
import type { StoredResource, StoredVariant } from '../release/manifest.ts';

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

/** An answer that stands in the draft without a content coding. */
export interface PlainAnswer {
  readonly access: Access;
  /** Path inside the release. */
  readonly file: string;
  readonly mediaType: string;
}

/** What stands beside it once it has been compressed. */
export type Codings = Pick<StoredResource, 'br' | 'gzip'>;

/** Compresses answers of a draft. */
export interface Compressor {
  /** @returns what was made of each, in their order */
  compress(answers: readonly PlainAnswer[]): Promise<readonly Codings[]>;
}

/** Bodies that are compressed side by side: what Node's own pool of threads takes at once. */
const sideBySide = 4;

/** Compresses on Node's own pool of threads, which few answers leave half idle. */
export class LocalCompressor implements Compressor {
  readonly #draft: string;

  constructor(draft: string) {
    this.#draft = draft;
  }

  async compress(answers: readonly PlainAnswer[]): Promise<readonly Codings[]> {
    const codings: Codings[] = [];
    const queue = answers.entries();
    const workers = Array.from({ length: sideBySide }, async () => {
      for (const [index, { access, file, mediaType }] of queue) {
        const body = await readFile(join(this.#draft, file));
        codings[index] = writeCodings(this.#draft, file, await encode(body, mediaType, access));
      }
    });
    // All of them have ended before the draft is removed: none writes into it again.
    const ends = await Promise.allSettled(workers);
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure) throw failure.reason;
    return codings;
  }
}

/** Compresses answers in this thread, one after the other. */
export function compressHere(draft: string, answers: readonly PlainAnswer[]): Codings[] {
  return answers.map(({ access, file, mediaType }) =>
    writeCodings(draft, file, encodeHere(readFileSync(join(draft, file)), mediaType, access)),
  );
}

function writeCodings(draft: string, file: string, { br, gzip }: Encodings): Codings {
  return {
    ...(br && { br: writeVariant(draft, `${file}.br`, br) }),
    ...(gzip && { gzip: writeVariant(draft, `${file}.gz`, gzip) }),
  };
}

function writeVariant(draft: string, file: string, bytes: Buffer): StoredVariant {
  const path = join(draft, file);
  try {
    writeFileSync(path, bytes);
  } catch (error) {
    // Node names no file when the write itself fails: a full disk, a file size limit.
    throw Object.assign(error as Error, { path });
  }
  return { file, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
