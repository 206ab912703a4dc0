import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredResource, StoredVariant } from '../release/manifest.ts';
import { type Access, type Encodings, encode, encodeHere } from './encode.ts';

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
