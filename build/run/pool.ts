import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Tinypool } from 'tinypool';
import { compiledFile } from '../compile.js';
import type { Failure, ShiftResult, ShiftToProcess, Tasks, WorkerSetting } from './worker.ts';

/** Called as long work proceeds: what is counted, how many are done, of how many. */
export type Progress = (label: string, done: number, total: number) => void;

/** From this many files on, worker threads save more time than it takes to start them. */
const manyFiles = 200;

/** Each thread processes about this many pieces, so that all threads finish at about the same time. */
const piecesPerThread = 12;

/** Limits how much a thread holds before it returns results. */
const largestPiece = 100;

/** Parsed files are many short-lived objects. With half of this, V8 copies so many that validation takes 10 % longer. */
const maxYoungGenerationSizeMb = 24;

/** By default, V8 lets garbage grow to 256 MB in each thread, and then in proportion to what is in use. */
const memoryFlags = ['--initial-old-space-size=32', '--heap-growing-percent=30'];

/** Runs the tasks of `worker.ts` in this thread, or in one worker thread for each core if there is much to do. */
export interface Pool extends Tasks {
  /** @param onResults called with results as they come, for example to serve requests between two shifts */
  readonly shifts: (
    shifts: readonly ShiftToProcess[],
    onResults?: (results: readonly ShiftResult[]) => void,
  ) => Promise<readonly ShiftResult[]>;
  /** Stops the threads and frees their memory. */
  readonly close: () => Promise<void>;
}

/** @param signal stops the work on shifts, which then throws */
export function openPool(
  setting: WorkerSetting,
  onProgress: Progress = () => undefined,
  signal?: AbortSignal,
): Pool {
  let local: Tasks | undefined;
  let threads: Tinypool | undefined;

  /** What is open stays open. @param files how many files there are to process */
  async function open(files: number): Promise<void> {
    if (local || threads) return;
    // Loaded only when there is something to process.
    if (files < manyFiles) local = (await import('./worker.ts')).createTasks(setting);
    else threads = await startThreads(setting);
  }

  async function close(): Promise<void> {
    signal?.removeEventListener('abort', close);
    const stopped = threads;
    local = undefined;
    threads = undefined;
    await stopped?.destroy();
  }

  async function inThreads<Result>(
    running: Tinypool,
    name: keyof Tasks,
    label: string,
    items: readonly unknown[],
    onResults: (results: readonly Result[]) => void = () => undefined,
  ): Promise<readonly Result[]> {
    let done = 0;
    const results = await Promise.all(
      piecesOf(items).map(async (piece) => {
        const result: readonly Result[] | Failure = await running.run({ name, items: piece });
        if ('failure' in result) {
          const { message, ...rest } = result.failure;
          throw Object.assign(new Error(message), rest);
        }
        done += piece.length;
        onProgress(label, done, items.length);
        onResults(result);
        return result;
      }),
    );
    return results.flat();
  }

  signal?.addEventListener('abort', close);
  return {
    async shifts(shifts, onResults) {
      if (shifts.length === 0) return [];
      await open(shifts.reduce((sum, { folder }) => sum + folder.papers.length, 0));
      signal?.throwIfAborted();
      if (threads) return inThreads(threads, 'shifts', 'Shifts:', shifts, onResults);
      const results: ShiftResult[] = [];
      for (const shift of shifts) {
        const ofShift = (await local?.shifts([shift])) ?? [];
        results.push(...ofShift);
        onResults?.(ofShift);
        await nextTurn();
        signal?.throwIfAborted();
      }
      return results;
    },

    async compress(objects) {
      if (objects.length === 0) return [];
      await open(objects.length);
      if (threads) return inThreads(threads, 'compress', 'Compressed:', objects);
      return (await local?.compress(objects)) ?? [];
    },

    close,
  };
}

function piecesOf<Item>(items: readonly Item[]): (readonly Item[])[] {
  const share = Math.ceil(items.length / (availableParallelism() * piecesPerThread));
  const size = Math.min(largestPiece, share);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

async function startThreads(setting: WorkerSetting): Promise<Tinypool> {
  const [{ Tinypool: Threads }, filename] = await Promise.all([
    import('tinypool'),
    compiledFile('worker'),
  ]);
  for (const flag of memoryFlags) setFlagsFromString(flag);
  return new Threads({
    filename,
    workerData: setting,
    minThreads: availableParallelism(),
    maxThreads: availableParallelism(),
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb },
  });
}
