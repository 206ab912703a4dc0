import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Tinypool } from 'tinypool';
import { compiledFile } from '../program.js';
import { orThrow } from './refusal.ts';

/** Is told how far long work is: of what, how many are done, of how many. */
export type Progress = (what: string, done: number, total: number) => void;

/** Each thread takes so many pieces of the work, so that all end at about the same time. */
const piecesPerThread = 12;

/** No piece is larger: what a piece comes to is handed over at once, and a bank may be of any size. */
const largestPiece = 100;

/** Parsed files are many short-lived objects: with room for them, fewer are copied around. */
const maxYoungGenerationSizeMb = 32;

/** Unless it is told, V8 lets a quarter of a gigabyte of what outlived them pile up in each thread before it looks. */
const firstLookAtOldObjects = '--initial-old-space-size=32';

/** By itself it lets garbage pile up in proportion to what is in use, and the larger a bank, the more a build would take. */
const garbageBeforeNextLook = '--heap-growing-percent=30';

/** As many threads as there are cores, each with the exports of one module, which may be `refusing`. */
export class Threads {
  readonly #pool: Tinypool;
  readonly #count: number;
  readonly #onProgress: Progress;

  private constructor(filename: string, workerData: unknown, onProgress: Progress) {
    this.#onProgress = onProgress;
    this.#count = availableParallelism();
    for (const flag of [firstLookAtOldObjects, garbageBeforeNextLook]) setFlagsFromString(flag);
    this.#pool = new Tinypool({
      filename,
      workerData,
      minThreads: this.#count,
      maxThreads: this.#count,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb },
    });
  }

  /**
   * @param module its name in the compiled program
   * @param workerData is handed to each thread
   */
  static async start(
    module: 'validation-worker' | 'build-worker',
    workerData: Promise<unknown>,
    onProgress: Progress,
  ): Promise<Threads> {
    const [data, filename] = await Promise.all([workerData, compiledFile(module)]);
    return new Threads(filename, data, onProgress);
  }

  /** Runs one export. @throws what it throws, and what the file system refused it */
  async run<Task, Result>(name: string, task: Task): Promise<Result> {
    return orThrow<Result>(await this.#pool.run(task, { name }));
  }

  /**
   * Runs one export on pieces of the work.
   *
   * @param what the work is, for the one who waits
   * @param taskOf puts a piece into the form that the export takes
   * @returns its results, in the order of the items
   */
  runInPieces<Item, Task, Result>(
    name: string,
    what: string,
    items: readonly Item[],
    taskOf: (piece: readonly Item[]) => Task,
  ): Promise<Result[]> {
    const size = Math.max(
      1,
      Math.min(largestPiece, Math.ceil(items.length / (this.#count * piecesPerThread))),
    );
    const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, index) => index * size);
    let done = 0;
    return Promise.all(
      starts.map(async (start) => {
        const piece = items.slice(start, start + size);
        const result: Result = await this.run(name, taskOf(piece));
        done += piece.length;
        this.#onProgress(what, done, items.length);
        return result;
      }),
    );
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
