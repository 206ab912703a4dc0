import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Diagnostic, Report } from '../check/diagnostic.ts';
import type { PaperFacts } from '../check/process-shift.ts';
import { compiledProgram } from '../compile.js';
import { type FoundContent, shiftPath } from '../content/file.ts';
import type { Exam } from '../content/types.ts';
import { createFolder, isAbandonedDraft, writeFileAtomically } from '../release/files.ts';
import { updated } from '../rules/paper.ts';
import type { Documentation } from '../site/site.ts';

/** What is stored of a unit: a shift or an exam file. It depends on the bytes of the unit's files and on its source. */
export interface CachedResult {
  /** SHA-256 of these, of a shift. */
  readonly digest?: string | undefined;
  /** The stamp of the files when they were read; undefined if they had been written just before. */
  readonly stamp: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Only a shift has facts. */
  readonly facts?: readonly PaperFacts[];
  /** A `CompiledShift` as JSON, and the digest of its stored files, if a build has compiled the shift. */
  readonly published?: { readonly compiled: string; readonly files: string } | undefined;
  /** Only an exam file has an exam. */
  readonly exam?: Exam;
}

/** What is stored of the last build. */
export interface LastBuild {
  /** As `inputsOf` returns them. */
  readonly inputs: string | undefined;
  /** The name of the release that it published. All shifts that are stored are in it. */
  readonly release: string;
  /** What its pages of documentation are made of. */
  readonly documentation: Documentation;
  readonly report: Report;
}

export interface Cache {
  /** Hashes of formulas that KaTeX accepts. */
  readonly validFormulas: Set<number>;
  /** @param unit path of an exam file or of a shift's folder */
  readonly get: (unit: string) => CachedResult | undefined;
  readonly set: (unit: string, result: CachedResult) => void;
  /**
   * Replaces the file in one step, if something has changed.
   *
   * @param content the results of other units are removed
   * @param lastBuild replaces the one that is stored; null: removes it, since a build did not publish its results
   */
  readonly save: (
    content: Pick<FoundContent, 'exams' | 'shifts'>,
    lastBuild?: LastBuild | null,
  ) => Promise<void>;
}

/** Returns what is stored of the last build. The rest of the cache is not read. */
export async function readLastBuild(dataDir: string): Promise<LastBuild | undefined> {
  const [lastBuild] = await readValues(await cacheFile(dataDir), 1);
  return lastBuild as LastBuild | undefined;
}

/**
 * Opens the one cache of `validate`, `build` and `preview`: the results of `processShift`, in a file of `DATA_DIR/cache`.
 * Each version of the program has its own file. A file that is missing, damaged or cannot be written costs time and
 * nothing else.
 */
export async function openCache(dataDir: string): Promise<Cache> {
  const file = await cacheFile(dataDir);
  const [storedBuild, formulas = [], ...units] = (await readValues(file)) as Stored;
  const validFormulas = new Set(formulas);
  const results = new Map(units);
  let storedFormulas = validFormulas.size;
  let storedUnits = results.size;
  let isChanged = false;
  return {
    validFormulas,
    get: (unit) => results.get(unit),

    set(unit, result) {
      if (!isLasting(result.diagnostics)) return;
      results.set(unit, result);
      isChanged = true;
    },

    async save({ exams, shifts }, lastBuild) {
      let room = mostStored;
      const wanted = [...exams.map(({ path }) => path), ...shifts.map(shiftPath)];
      const kept = wanted.flatMap((unit): [string, CachedResult][] => {
        const result = results.get(unit);
        if (!result || result.diagnostics.length > room) return [];
        room -= result.diagnostics.length;
        return [[unit, result]];
      });
      isChanged ||= validFormulas.size !== storedFormulas || kept.length !== storedUnits;
      if (!isChanged && lastBuild === undefined) return;
      const build = lastBuild === undefined ? storedBuild : (lastBuild ?? undefined);
      const values: Stored = [build, Float64Array.from(validFormulas), ...kept];
      await writeValues(file, values);
      storedFormulas = validFormulas.size;
      storedUnits = kept.length;
      isChanged = false;
    },
  };
}

type Stored = [
  lastBuild?: LastBuild | undefined,
  formulas?: Float64Array,
  ...units: [unit: string, result: CachedResult][],
];

/** Diagnostics of all units. They have the lines around them: those of a bank full of problems would fill the cache. */
const mostStored = 20_000;

/** Whether the same files have the same diagnostics at any time. */
function isLasting(diagnostics: readonly Diagnostic[]): boolean {
  return !diagnostics.some(({ rule }) => rule === updated.name);
}

/** Values that are written and read together: a cache in one piece would take several times its size in memory. */
const valuesPerPiece = 100;

/** Bytes before each piece, with its length. */
const lengthBytes = 4;

interface CacheFile {
  readonly folder: string;
  readonly name: string;
}

async function cacheFile(dataDir: string): Promise<CacheFile> {
  const { version } = await compiledProgram();
  return { folder: join(dataDir, 'cache'), name: `results-${version}` };
}

/**
 * The values of the file in their order: that of the first piece, which is alone, and those of all others.
 *
 * @param pieces how many are read
 * @returns none if there is no file, it is damaged, or Git tracks it
 */
async function readValues(
  { folder, name }: CacheFile,
  pieces = Number.POSITIVE_INFINITY,
): Promise<unknown[]> {
  const file = await open(join(folder, name)).catch(() => undefined);
  try {
    return file && !(await isTracked(folder, name)) ? await readPieces(file, pieces) : [];
  } catch {
    return [];
  } finally {
    await file?.close();
  }
}

/** Whether Git tracks the file: a cache in a pull request could hide problems of the content. */
async function isTracked(folder: string, name: string): Promise<boolean> {
  if (!process.env['GIT_DIR'] && !hasRepository(realpathSync(folder))) return false;
  const command = ['-c', 'safe.directory=*', 'ls-files', '--error-unmatch', name];
  return new Promise((resolve) =>
    execFile('git', command, { cwd: folder }, (error) => resolve(error === null)),
  );
}

/** Whether a folder, or one around it, may be a repository: starting Git takes longer than the rest of a small build. */
function hasRepository(folder: string): boolean {
  const outer = dirname(folder);
  return existsSync(join(folder, '.git')) || (outer !== folder && hasRepository(outer));
}

/** @throws Error when a piece is damaged */
async function readPieces(file: FileHandle, pieces: number): Promise<unknown[]> {
  const values: unknown[] = [];
  const { size } = await file.stat();
  for (let piece = 0; piece < pieces; piece += 1) {
    const head = await file.read(Buffer.alloc(lengthBytes));
    if (head.bytesRead === 0) break;
    const length = head.buffer.readUInt32LE();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(length, size)));
    if (bytesRead !== length) throw new Error('The cache is damaged.');
    values.push(...deserialize(buffer));
  }
  return values;
}

/** Replaces the file. Files of other versions are removed. */
async function writeValues({ folder, name }: CacheFile, values: readonly unknown[]) {
  try {
    await createFolder(folder, 0o700);
    await writeFileAtomically(join(folder, name), piecesOf(values), { isReplaceable: true });
    for (const other of await readdir(folder)) {
      const isUnused = other.startsWith('.') ? isAbandonedDraft(other) : other !== name;
      if (isUnused) await rm(join(folder, other), { force: true });
    }
  } catch {
    // The next run computes it again.
  }
}

function* piecesOf(values: readonly unknown[]): Generator<Buffer> {
  for (let start = 0, end = 1; start < values.length; start = end, end += valuesPerPiece) {
    const bytes = serialize(values.slice(start, end));
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32LE(bytes.length);
    yield* [length, bytes];
  }
}
