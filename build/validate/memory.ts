import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbandonedDraft } from '../write/draft.ts';
import { writeWhole } from '../write/write-whole.ts';

const digestBytes = 32;

/**
 * Words that runs keep for later runs, in a file of the data folder, behind a digest of them. They are but a
 * memory: a file that is missing, damaged or cannot be written costs time and nothing else.
 */
export class Memory {
  readonly #dataDir: string;
  readonly #kind: string;
  readonly #name: string;

  /** @param version of all that the words depend on: those of another version are forgotten */
  constructor(dataDir: string, kind: string, version: string) {
    this.#dataDir = dataDir;
    this.#kind = kind;
    this.#name = `${kind}-${version}`;
  }

  /** @returns words that threads can share; undefined when there are none, or not as they were written */
  async read(): Promise<Uint32Array | undefined> {
    const bytes = await readFile(join(this.#dataDir, this.#name)).catch(() => undefined);
    const words = bytes?.subarray(digestBytes);
    if (!bytes || !words || !digestOf(words).equals(bytes.subarray(0, digestBytes))) return undefined;
    const shared = new Uint8Array(new SharedArrayBuffer(words.length));
    shared.set(words);
    return new Uint32Array(shared.buffer);
  }

  /** A reader sees the old words or the new ones, whole. */
  async write(words: Uint32Array): Promise<void> {
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    try {
      await mkdir(this.#dataDir, { recursive: true, mode: 0o700 });
      await writeWhole(join(this.#dataDir, this.#name), Buffer.concat([digestOf(bytes), bytes]));
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

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
