/** What a pool runs, in the main thread or in worker threads: one shift after the other. */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { isMainThread, workerData } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import type { Diagnostic } from '../check/diagnostic.ts';
import { type PaperFacts, type ProcessOptions, processShift } from '../check/process-shift.ts';
import type { CompiledShift, ShiftOutputs } from '../compile/compile-shift.ts';
import { digestOfShift, readShift, type ShiftFolder, shiftPath } from '../content/file.ts';
import { storeResource } from '../publish/encode.ts';
import { writeWithPath } from '../release/objects.ts';
import type { ShiftFile, ShiftFiles } from '../release/root.ts';

/** Processes shifts. Results are in the order of the shifts. */
export type ProcessShifts = (shifts: readonly ShiftToProcess[]) => Promise<readonly ShiftResult[]>;

export interface ShiftToProcess {
  readonly folder: ShiftFolder;
  /** The digest of the files whose result is cached, if there is one. */
  readonly cached: string | undefined;
}

export type ShiftResult =
  | { readonly isCached: true }
  | {
      readonly isCached: false;
      /** Undefined if a file cannot be read: the result is not cached. */
      readonly digest: string | undefined;
      readonly diagnostics: readonly Diagnostic[];
      readonly facts: readonly PaperFacts[];
      readonly published: StoredShift | undefined;
      readonly newFormulas: readonly number[];
    };

/** A shift whose responses are stored. */
export interface StoredShift {
  readonly compiled: CompiledShift;
  readonly files: ShiftFiles;
  /** The work file with its entries of the question index of the year. */
  readonly entries: string;
  /** Identifies the files, if they are to be compared. */
  readonly digest: string;
}

/** Where the outputs of a build go. */
export interface Destination {
  readonly distDir: string;
  /** The folder of the entries of the year's question index. */
  readonly scratch: string;
}

export interface WorkerSetting {
  readonly contentDir: string;
  readonly now: Date;
  /** Hashes of formulas that KaTeX accepts. */
  readonly validFormulas: ReadonlySet<number>;
  /** Undefined if nothing is to be published. */
  readonly destination?: Destination | undefined;
}

/** @param loadKatex replaces the loading of KaTeX */
export function shiftProcessor(
  { contentDir, now, validFormulas, destination }: WorkerSetting,
  loadKatex?: ProcessOptions['loadKatex'],
): ProcessShifts {
  const options: ProcessOptions = {
    now,
    validFormulas: new Set(validFormulas),
    compile: destination !== undefined,
    loadKatex,
  };

  async function shift({ folder, cached }: ShiftToProcess): Promise<ShiftResult> {
    const files = readShift(contentDir, folder);
    const digest = digestOfShift(folder, files)?.toString('hex');
    if (digest !== undefined && digest === cached) return { isCached: true };
    const { outputs, ...result } = await processShift(folder, files, options);
    const published =
      outputs && destination ? await storeShift(destination, folder, outputs) : undefined;
    return { isCached: false, ...result, digest, published };
  }

  return async (shifts) => {
    const results: ShiftResult[] = [];
    for (const one of shifts) results.push(await shift(one));
    return results;
  };
}

/** The digest of the files of a shift, by which a build sees that a release has them. */
export function digestOfFiles(files: ShiftFiles): string {
  return hash('sha256', JSON.stringify(files), 'base64').slice(0, 16);
}

/**
 * Stores the responses of a shift, plain and compressed, and its entries of the question index.
 *
 * @throws the file system's own error, with the path of the file
 */
async function storeShift(
  { distDir, scratch }: Destination,
  folder: ShiftFolder,
  { compiled, responses, index }: ShiftOutputs,
): Promise<StoredShift> {
  const files: Record<string, ShiftFile> = {};
  for (const { file, mediaType, body, total } of responses) {
    const stored = await storeResource(distDir, mediaType, body);
    files[file] = { ...stored, crc32: crc32(body), total };
  }
  const entries = join(scratch, `${shiftPath(folder).replaceAll('/', ' ')}.json`);
  writeWithPath(entries, Buffer.from(JSON.stringify(index)));
  const stored: ShiftFiles = JSON.parse(JSON.stringify(files));
  return { compiled, files: stored, entries, digest: digestOfFiles(stored) };
}

/** A file system error, with the path. Between threads an error loses all properties except its message. */
export interface Failure {
  readonly failure: Readonly<
    Record<'message' | 'syscall', string> & Record<'code' | 'path', string | undefined>
  >;
}

/** The entry point of a worker thread. Undefined in the main thread. */
export default isMainThread ? undefined : servedProcessor();

function servedProcessor() {
  // Tinypool puts its own data first.
  const process = shiftProcessor(workerData[1]);
  return async (shifts: readonly ShiftToProcess[]) => {
    try {
      return await process(shifts);
    } catch (error) {
      const { message, code, syscall, path } = error as NodeJS.ErrnoException;
      if (syscall === undefined) throw error;
      return { failure: { message, syscall, code, path } } satisfies Failure;
    }
  };
}
