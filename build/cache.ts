import { createHmac, randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { compiledProgram } from './compile.js';
import { createFolder, isAbandonedDraft, writeFileAtomically } from './release/files.ts';

/** Values that are written and read together: a cache in one piece would take several times its size in memory. */
const valuesPerPiece = 100;

/** In the same folder: the secret of whoever may write there. */
const keyFile = 'key';

/** Permissions of that file: only its owner may read it, and nobody may write it. */
const keyMode = 0o400;

/** Before each piece: its length, and its HMAC with SHA-256. */
const lengthBytes = 4;
const digestBytes = 32;

/**
 * Values that later runs reuse, in a file of `DATA_DIR/cache`. Each version of the program has its own file. A file
 * that is missing, damaged or cannot be written costs time and nothing else. Nor is one read that was not written with
 * the key of this folder: a cache in a pull request could otherwise hide problems of the content.
 */
export async function openCache<Value>(dataDir: string, kind: 'results' | 'build') {
  const folder = join(dataDir, 'cache');
  const { version } = await compiledProgram();
  const path = join(folder, `${kind}-${version}`);

  /** The key, if nobody can write it: the files of a checkout can be written by their owner, whatever the umask. */
  async function readKey(): Promise<Buffer | undefined> {
    const entry = await lstat(join(folder, keyFile)).catch(() => undefined);
    if (!entry?.isFile() || (entry.mode & 0o777) !== keyMode) return undefined;
    const key = await readFile(join(folder, keyFile));
    return key.length === digestBytes ? key : undefined;
  }

  async function createKey(): Promise<Buffer> {
    const key = randomBytes(digestBytes);
    await writeFileAtomically(join(folder, keyFile), key, { mode: keyMode });
    return key;
  }

  async function removeOtherVersions(): Promise<void> {
    for (const name of await readdir(folder)) {
      if (name === keyFile) continue;
      const isUnused = name.startsWith('.')
        ? isAbandonedDraft(name)
        : !name.endsWith(`-${version}`);
      if (isUnused) await rm(join(folder, name), { force: true });
    }
  }

  return {
    /** Returns the values in their order; none if there is no file or it is damaged. */
    async read(): Promise<Value[]> {
      const file = await open(path).catch(() => undefined);
      try {
        const key = await readKey();
        return file && key ? await readPieces(file, key) : [];
      } catch {
        return [];
      } finally {
        await file?.close();
      }
    },

    /** Replaces the file in one step. Files of other versions are removed. */
    async write(values: readonly Value[]): Promise<void> {
      try {
        await createFolder(folder, 0o700);
        const key = (await readKey()) ?? (await createKey());
        await writeFileAtomically(path, pieces(values, key), { isReplaceable: true });
        await removeOtherVersions();
      } catch {
        // The next run computes it again.
      }
    },
  };
}

function* pieces(values: readonly unknown[], key: Buffer): Generator<Buffer> {
  for (let start = 0; start < values.length; start += valuesPerPiece) {
    const bytes = serialize(values.slice(start, start + valuesPerPiece));
    yield* [headOf(bytes, key), bytes];
  }
  yield headOf(Buffer.alloc(0), key);
}

/** @throws Error when a piece is damaged or of another key, or the last one, which is empty, is missing */
async function readPieces<Value>(file: FileHandle, key: Buffer): Promise<Value[]> {
  const values: Value[] = [];
  const { size } = await file.stat();
  for (;;) {
    const { buffer: head } = await file.read(Buffer.alloc(lengthBytes + digestBytes));
    const length = head.readUInt32LE();
    const { buffer: bytes } = await file.read(Buffer.alloc(Math.min(length, size)));
    if (!headOf(bytes, key).equals(head)) throw new Error('The cache is damaged.');
    if (length === 0) return values;
    values.push(...deserialize(bytes));
  }
}

function headOf(bytes: Buffer, key: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, createHmac('sha256', key).update(bytes).digest()]);
}
