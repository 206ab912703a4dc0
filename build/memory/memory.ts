import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbandonedDraft } from '../write/draft.ts';
import { writeWhole } from '../write/write-whole.ts';

const digestBytes = 32;

/**
 * What runs keep for later runs, in a file of the data folder, behind a digest of it. It is but a memory: a file that
 * is missing, damaged or cannot be written costs time and nothing else.
 */
export class Memory {
  readonly #dataDir: string;
  readonly #kind: string;
  readonly #name: string;

  /** @param version of all that it depends on: what is of another version is forgotten */
  constructor(dataDir: string, kind: string, version: string) {
    this.#dataDir = dataDir;
    this.#kind = kind;
    this.#name = `${kind}-${version}`;
  }

  /** @returns undefined when there is nothing, or not as it was written */
  async read(): Promise<Buffer | undefined> {
    const stored = await readFile(join(this.#dataDir, this.#name)).catch(() => undefined);
    const bytes = stored?.subarray(digestBytes);
    return stored && bytes && digestOf(bytes).equals(stored.subarray(0, digestBytes)) ? bytes : undefined;
  }

  /** @returns words that threads can share */
  async readWords(): Promise<Uint32Array | undefined> {
    const bytes = await this.read();
    if (!bytes) return undefined;
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    return new Uint32Array(shared.buffer);
  }

  /** A reader sees the old or the new, whole. */
  async write(content: Uint8Array | Uint32Array): Promise<void> {
    const bytes = new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
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
