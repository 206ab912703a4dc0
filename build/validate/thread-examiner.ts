import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Tinypool } from 'tinypool';
import type { ExamPlace, ShiftFolder } from '../read/find.ts';
import type { Diagnostic } from '../report/diagnostic.ts';
import type { Examiner, Progress } from './examiner.ts';
import type { ExamResult, PaperPrint, ShiftResult, WorkSetting } from './work.ts';
import type { FormulaFaultsTask } from './worker.ts';

/** Each thread takes so many pieces of the work, so that all end at about the same time. */
const piecesPerThread = 12;

/** Parsed files are many short-lived objects: with room for them, fewer are copied around. */
const maxYoungGenerationSizeMb = 64;

const scriptName = 'worker.mjs';

/** Examines content in as many threads as there are cores. */
export class ThreadExaminer implements Examiner {
  readonly #folder: string;
  readonly #pool: Tinypool;
  readonly #threads: number;
  readonly #onProgress: Progress;

  private constructor(folder: string, setting: WorkSetting, onProgress: Progress) {
    this.#folder = folder;
    this.#onProgress = onProgress;
    this.#threads = availableParallelism();
    this.#pool = new Tinypool({
      filename: join(folder, scriptName),
      workerData: setting,
      minThreads: this.#threads,
      maxThreads: this.#threads,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb },
    });
  }

  static async start(setting: Promise<WorkSetting>, onProgress: Progress): Promise<ThreadExaminer> {
    const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
    const [work] = await Promise.all([setting, bundleWorker(folder)]);
    return new ThreadExaminer(folder, work, onProgress);
  }

  exams(places: readonly ExamPlace[]): Promise<readonly ExamResult[]> {
    return this.#pool.run(places, { name: 'exams' });
  }

  async shifts(folders: readonly ShiftFolder[]): Promise<readonly ShiftResult[]> {
    return this.#inPieces('Shifts:', folders, (piece) => this.#pool.run(piece, { name: 'shifts' }));
  }

  async prints(folders: readonly ShiftFolder[]): Promise<readonly PaperPrint[]> {
    return (
      await this.#inPieces('Shifts:', folders, (piece) => this.#pool.run(piece, { name: 'prints' }))
    ).flat();
  }

  async formulas(texts: readonly string[]): Promise<readonly boolean[]> {
    return (
      await this.#inPieces('Formulas:', texts, (piece) => this.#pool.run(piece, { name: 'formulas' }))
    ).flat();
  }

  async formulaFaults(folders: readonly ShiftFolder[], failing: Uint32Array): Promise<readonly Diagnostic[]> {
    const found = await this.#inPieces('Shifts with faulty formulas:', folders, (piece) => {
      const task: FormulaFaultsTask = { folders: piece, failing };
      return this.#pool.run(task, { name: 'formulaFaults' });
    });
    return found.flat();
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
    await rm(this.#folder, { recursive: true });
  }

  #inPieces<Item, Result>(
    what: string,
    items: readonly Item[],
    run: (piece: readonly Item[]) => Promise<Result>,
  ): Promise<Result[]> {
    const size = Math.max(1, Math.ceil(items.length / (this.#threads * piecesPerThread)));
    const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, index) => index * size);
    let done = 0;
    return Promise.all(
      starts.map(async (start) => {
        const piece = items.slice(start, start + size);
        const result = await run(piece);
        done += piece.length;
        this.#onProgress(what, done, items.length);
        return result;
      }),
    );
  }
}

/**
 * Writes what a thread runs as one script, and KaTeX as another that is loaded when there is a formula to ask
 * about. tsx does not reach into threads on Node 20, and would cost each of them a quarter of a second.
 */
async function bundleWorker(folder: string): Promise<void> {
  await build({
    entryPoints: [new URL('worker.ts', import.meta.url).pathname],
    bundle: true,
    splitting: true,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    target: 'node20',
    // What packages of the older kind ask for while they run.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});`,
    },
    logLevel: 'silent',
  });
}
