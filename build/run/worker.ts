/** What a pool runs, in the main thread or in worker threads: one shift after the other, and compression. */
import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMainThread, workerData } from 'node:worker_threads';
import type { Diagnostic } from '../check/diagnostic.ts';
import { type PaperFacts, type ProcessOptions, processShift } from '../check/process-shift.ts';
import type { PublishedShift, ShiftOutputs } from '../compile/compile-shift.ts';
import { protectedFile } from '../compile/response.ts';
import type { ShiftFolder } from '../content/file.ts';
import { digestOfShift, readShift } from '../content/file.ts';
import { type Codings, compressFiles, type PlainFile } from '../publish/encode.ts';
import { writeWithPath } from '../release/files.ts';

/** Each task turns items into results, in the order of the items. */
export interface Tasks {
  readonly shifts: (shifts: readonly ShiftToProcess[]) => Promise<readonly ShiftResult[]>;
  /** Compresses files of the draft. */
  readonly compress: (files: readonly PlainFile[]) => Promise<readonly Codings[]>;
}

export interface ShiftToProcess {
  readonly folder: ShiftFolder;
  /** The digest of the files whose result is cached, if there is one. */
  readonly cached: string | undefined;
}

export type ShiftResult = { readonly milliseconds: number } & (
  | { readonly isCached: true }
  | {
      readonly isCached: false;
      /** Undefined if a file cannot be read: the result is not cached. */
      readonly digest: string | undefined;
      readonly diagnostics: readonly Diagnostic[];
      readonly facts: readonly PaperFacts[];
      readonly published: PublishedShift | undefined;
      readonly newFormulas: readonly number[];
    }
);

export interface WorkerSetting {
  readonly contentDir: string;
  readonly now: Date;
  /** Hashes of formulas that KaTeX accepts. */
  readonly validFormulas: ReadonlySet<number>;
  /** The folder of the draft; undefined if nothing is to be published. */
  readonly draft?: string | undefined;
}

/** @param loadKatex replaces the loading of KaTeX */
export function createTasks(
  { contentDir, now, validFormulas, draft }: WorkerSetting,
  loadKatex?: ProcessOptions['loadKatex'],
): Tasks {
  const options: ProcessOptions = {
    now,
    validFormulas: new Set(validFormulas),
    compile: draft !== undefined,
    loadKatex,
  };

  async function shift({ folder, cached }: ShiftToProcess): Promise<ShiftResult> {
    const start = performance.now();
    const files = readShift(contentDir, folder);
    const digest = digestOfShift(folder, files)?.toString('hex');
    if (digest !== undefined && digest === cached)
      return { isCached: true, milliseconds: performance.now() - start };
    const { outputs, ...result } = await processShift(folder, files, options);
    const published = outputs && draft !== undefined ? storeShift(draft, outputs) : undefined;
    return {
      isCached: false,
      ...result,
      digest,
      published,
      milliseconds: performance.now() - start,
    };
  }

  return {
    async shifts(shifts) {
      const results: ShiftResult[] = [];
      for (const one of shifts) results.push(await shift(one));
      return results;
    },

    async compress(files) {
      if (draft === undefined) throw new Error('There is no draft to compress.');
      return compressFiles(draft, files);
    },
  };
}

/**
 * Writes the responses of a shift into a draft.
 *
 * @param draft its folder, which need not exist
 * @throws the file system's own error, with the path of the file
 */
function storeShift(draft: string, { compiled, responses }: ShiftOutputs): PublishedShift {
  for (const folder of new Set(responses.map(({ path }) => dirname(protectedFile(path)))))
    mkdirSync(join(draft, folder), { recursive: true });
  return {
    compiled,
    responses: responses.map(({ path, mediaType, body }) => {
      writeWithPath(join(draft, protectedFile(path)), body);
      return { path, mediaType, size: body.length, sha256: hash('sha256', body) };
    }),
  };
}

/** A file system error, with the path. Between threads an error loses all properties except its message. */
export interface Failure {
  readonly failure: Readonly<
    Record<'message' | 'syscall', string> & Record<'code' | 'path', string | undefined>
  >;
}

/** The entry point of a worker thread. Undefined in the main thread. */
export default isMainThread ? undefined : servedTasks();

function servedTasks() {
  // Tinypool puts its own data first.
  const tasks = createTasks(workerData[1]);
  return async ({
    name,
    items,
  }: {
    readonly name: keyof Tasks;
    readonly items: readonly never[];
  }) => {
    try {
      return await tasks[name](items);
    } catch (error) {
      const { message, code, syscall, path } = error as NodeJS.ErrnoException;
      if (syscall === undefined) throw error;
      return { failure: { message, syscall, code, path } } satisfies Failure;
    }
  };
}
