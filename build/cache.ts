import { execFile } from 'node:child_process';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { compiledProgram } from './compile.js';
import { createFolder, isAbandonedDraft, writeFileAtomically } from './release/files.ts';

/** Values that are written and read together: a cache in one piece would take several times its size in memory. */
const valuesPerPiece = 100;

/** Bytes before each piece, with its length. */
const lengthBytes = 4;

/**
 * Values that later runs reuse, in a file of `DATA_DIR/cache`. Each version of the program has its own file. A file
 * that is missing, damaged or cannot be written costs time and nothing else.
 */
export async function openCache<Value>(dataDir: string, kind: 'results' | 'build') {
  const folder = join(dataDir, 'cache');
  const { version } = await compiledProgram();
  const name = `${kind}-${version}`;
  const path = join(folder, name);

  /** Whether Git tracks the file: a cache in a pull request could hide problems of the content. */
  function isTracked(): Promise<boolean> {
    const command = ['-c', 'safe.directory=*', 'ls-files', '--error-unmatch', name];
    return new Promise((resolve) =>
      execFile('git', command, { cwd: folder }, (error) => resolve(error === null)),
    );
  }

  async function removeOtherVersions(): Promise<void> {
    for (const other of await readdir(folder)) {
      const isUnused = other.startsWith('.')
        ? isAbandonedDraft(other)
        : !other.endsWith(`-${version}`);
      if (isUnused) await rm(join(folder, other), { force: true });
    }
  }

  return {
    /** Returns the values in their order; none if there is no file, it is damaged, or Git tracks it. */
    async read(): Promise<Value[]> {
      const file = await open(path).catch(() => undefined);
      try {
        return file && !(await isTracked()) ? await readPieces(file) : [];
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
        await writeFileAtomically(path, pieces(values), { isReplaceable: true });
        await removeOtherVersions();
      } catch {
        // The next run computes it again.
      }
    },
  };
}

function* pieces(values: readonly unknown[]): Generator<Buffer> {
  for (let start = 0; start < values.length; start += valuesPerPiece) {
    const bytes = serialize(values.slice(start, start + valuesPerPiece));
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32LE(bytes.length);
    yield* [length, bytes];
  }
}

/** @throws Error when a piece is damaged */
async function readPieces<Value>(file: FileHandle): Promise<Value[]> {
  const values: Value[] = [];
  const { size } = await file.stat();
  for (;;) {
    const head = await file.read(Buffer.alloc(lengthBytes));
    if (head.bytesRead === 0) return values;
    const length = head.buffer.readUInt32LE();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(length, size)));
    if (bytesRead !== length) throw new Error('The cache is damaged.');
    values.push(...deserialize(buffer));
  }
}
