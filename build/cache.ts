import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { compiledProgram } from './program.js';
import { createFolder, isAbandonedDraft, writeFileAtomically } from './release/files.ts';

/** Values that are written and read together: a cache in one piece would take several times its size in memory. */
const valuesPerPiece = 100;

/** Before each piece: its length, and its SHA-256. */
const lengthBytes = 4;
const digestBytes = 32;

/**
 * Values that later runs reuse, in a file of `DATA_DIR/cache`. Each version of the program has its own file. A file
 * that is missing, damaged or cannot be written costs time and nothing else.
 */
export class CacheFile<Value> {
  readonly #folder: string;
  readonly #version: string;
  readonly #file: string;

  private constructor(dataDir: string, kind: string, version: string) {
    this.#folder = join(dataDir, 'cache');
    this.#version = version;
    this.#file = join(this.#folder, `${kind}-${version}`);
  }

  static async open<Value>(dataDir: string, kind: 'results' | 'build'): Promise<CacheFile<Value>> {
    return new CacheFile(dataDir, kind, (await compiledProgram()).version);
  }

  /** Returns the values in their order; none if there is no file or it is damaged. */
  async read(): Promise<Value[]> {
    const file = await open(this.#file).catch(() => undefined);
    try {
      return file ? await readPieces(file) : [];
    } catch {
      return [];
    } finally {
      await file?.close();
    }
  }

  /** Replaces the file in one step. Files of other versions are removed. */
  async write(values: readonly Value[]): Promise<void> {
    try {
      await createFolder(this.#folder, 0o700);
      await writeFileAtomically(this.#file, pieces(values), { isReplaceable: true });
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

function* pieces(values: readonly unknown[]): Generator<Buffer> {
  for (let start = 0; start < values.length; start += valuesPerPiece) {
    const bytes = serialize(values.slice(start, start + valuesPerPiece));
    yield* [headOf(bytes), bytes];
  }
  yield headOf(Buffer.alloc(0));
}

/** @throws Error when a piece is damaged, or the last one, which is empty, is missing */
async function readPieces<Value>(file: FileHandle): Promise<Value[]> {
  const values: Value[] = [];
  const { size } = await file.stat();
  for (;;) {
    const { buffer: head } = await file.read(Buffer.alloc(lengthBytes + digestBytes));
    const length = head.readUInt32LE();
    const { buffer: bytes } = await file.read(Buffer.alloc(Math.min(length, size)));
    if (!headOf(bytes).equals(head)) throw new Error('The cache is damaged.');
    if (length === 0) return values;
    values.push(...deserialize(bytes));
  }
}

function headOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, createHash('sha256').update(bytes).digest()]);
}
