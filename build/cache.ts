import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { compiledProgram } from './program.js';
import { createFolder, isAbandonedDraft, writeFileAtomically } from './release/drafts.ts';

const digestBytes = 32;

/**
 * A value that later runs reuse, in a file of `DATA_DIR/cache`. Each version of the program has its own file. A file that
 * is missing, damaged or cannot be written costs time and nothing else.
 */
export class CacheFile<Value> {
  readonly #folder: string;
  readonly #version: string;
  readonly #file: string;
  /** SHA-256 of the stored value. */
  #digest: Buffer | undefined;

  private constructor(dataDir: string, kind: string, version: string) {
    this.#folder = join(dataDir, 'cache');
    this.#version = version;
    this.#file = join(this.#folder, `${kind}-${version}`);
  }

  static async open<Value>(dataDir: string, kind: 'results' | 'build'): Promise<CacheFile<Value>> {
    return new CacheFile(dataDir, kind, (await compiledProgram()).version);
  }

  /** Returns undefined if there is no file or it is damaged. */
  async read(): Promise<Value | undefined> {
    const stored = await readFile(this.#file).catch(() => undefined);
    if (!stored || stored.length < digestBytes) return undefined;
    const bytes = stored.subarray(0, -digestBytes);
    const digest = sha256(bytes);
    if (!digest.equals(stored.subarray(-digestBytes))) return undefined;
    this.#digest = digest;
    return deserialize(bytes);
  }

  /** Replaces the file in one step, unless it holds this value already. Files of other versions are removed. */
  async write(value: Value): Promise<void> {
    const bytes = serialize(value);
    const digest = sha256(bytes);
    if (this.#digest?.equals(digest)) return;
    try {
      await createFolder(this.#folder, 0o700);
      await writeFileAtomically(this.#file, [bytes, digest], { isReplaceable: true });
      this.#digest = digest;
      await this.#removeOtherVersions();
    } catch {
      // The next run computes it again.
    }
  }

  async #removeOtherVersions(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const isUnused = name.startsWith('.') ? isAbandonedDraft(name) : !name.endsWith(`-${this.#version}`);
      if (isUnused) await rm(join(this.#folder, name), { force: true });
    }
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
