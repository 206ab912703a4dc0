import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbandonedDraft, writeFileAtomically } from './release/drafts.ts';

const digestBytes = 32;

/** What is to be kept, in pieces that are asked for twice: to see whether it is new, and to write it. */
export type Pieces = () => Iterable<Uint8Array>;

/**
 * What runs keep for later runs, in a file of the data folder, with a digest of it behind it. It is but a memory: a file
 * that is missing, damaged or cannot be written costs time and nothing else.
 */
export class Memory {
  readonly #dataDir: string;
  readonly #kind: string;
  readonly #name: string;
  /** Of what was read. */
  #digest: Buffer | undefined;

  /** @param version of all that it depends on: what is of another version is forgotten */
  constructor(dataDir: string, kind: string, version: string) {
    this.#dataDir = dataDir;
    this.#kind = kind;
    this.#name = `${kind}-${version}`;
  }

  /** @returns undefined when there is nothing, or not as it was written */
  async read(): Promise<Buffer | undefined> {
    const stored = await readFile(join(this.#dataDir, this.#name)).catch(() => undefined);
    if (!stored || stored.length < digestBytes) return undefined;
    const bytes = stored.subarray(0, -digestBytes);
    const digest = stored.subarray(-digestBytes);
    if (!digestOf([bytes]).equals(digest)) return undefined;
    this.#digest = Buffer.from(digest);
    return bytes;
  }

  /** @returns words that threads can share */
  async readWords(): Promise<Uint32Array | undefined> {
    const bytes = await this.read();
    if (!bytes) return undefined;
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    return new Uint32Array(shared.buffer);
  }

  /** A reader sees the old or the new, whole. Nothing is written where it is what was read. */
  async write(pieces: Pieces): Promise<void> {
    const digest = digestOf(pieces());
    if (this.#digest?.equals(digest)) return;
    try {
      await mkdir(this.#dataDir, { recursive: true, mode: 0o700 });
      const file = join(this.#dataDir, this.#name);
      await writeFileAtomically(file, withDigest(pieces(), digest), { isReplaceable: true });
      this.#digest = digest;
      await this.#forgetOthers();
    } catch {
      // Whoever cannot remember looks again.
    }
  }

  async #forgetOthers(): Promise<void> {
    for (const name of await readdir(this.#dataDir)) {
      const isOther = name.startsWith(`${this.#kind}-`) && name !== this.#name;
      if (isOther || isAbandonedDraft(name)) await rm(join(this.#dataDir, name), { force: true });
    }
  }
}

/** The bytes of words, without a copy. */
export function bytesOfWords({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function digestOf(pieces: Iterable<Uint8Array>): Buffer {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

/** Bytes that are written at once: pieces may be many and small. */
const blockBytes = 1024 * 1024;

function* withDigest(pieces: Iterable<Uint8Array>, digest: Buffer): Generator<Uint8Array> {
  let block: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    block.push(piece);
    bytes += piece.length;
    if (bytes < blockBytes) continue;
    yield Buffer.concat(block);
    block = [];
    bytes = 0;
  }
  yield Buffer.concat([...block, digest]);
}
