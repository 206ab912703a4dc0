import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Tinypool } from 'tinypool';
import { compiledFile } from '../compile.js';
import type { Failure, ShiftResult, ShiftToProcess, WorkerSetting } from './worker.ts';

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

/** Processes shifts in this thread, or in one worker thread for each core if there is much to do. */
export interface Pool {
  /** Lets other work run between two shifts, such as requests to the preview. */
  readonly shifts: (shifts: readonly ShiftToProcess[]) => Promise<readonly ShiftResult[]>;
  /** Stops the threads and frees their memory. */
  readonly close: () => Promise<void>;
}

/** @param signal stops the work on shifts, which then throws */
export function openPool(
  setting: WorkerSetting,
  onProgress: Progress = () => undefined,
  signal?: AbortSignal,
): Pool {
  let threads: Tinypool | undefined;

  async function close(): Promise<void> {
    signal?.removeEventListener('abort', close);
    await threads?.destroy();
    threads = undefined;
  }

  signal?.addEventListener('abort', close);
  return {
    async shifts(shifts) {
      const files = shifts.reduce((sum, { folder }) => sum + folder.papers.length, 0);
      if (files < manyFiles) {
        const results: ShiftResult[] = [];
        if (shifts.length === 0) return results;
        // Loaded only when there is something to process.
        const process = (await import('./worker.ts')).shiftProcessor(setting);
        for (const shift of shifts) {
          signal?.throwIfAborted();
          results.push(...(await process([shift])));
          await nextTurn();
        }
        signal?.throwIfAborted();
        return results;
      }
      const running = await startThreads(setting);
      threads = running;
      signal?.throwIfAborted();
      let done = 0;
      const results = await Promise.all(
        piecesOf(shifts).map(async (piece) => {
          const result: readonly ShiftResult[] | Failure = await running.run(piece);
          if ('failure' in result) {
            const { message, ...rest } = result.failure;
            throw Object.assign(new Error(message), rest);
          }
          done += piece.length;
          onProgress('Shifts:', done, shifts.length);
          return result;
        }),
      );
      return results.flat();
    },

    close,
  };
}

function piecesOf(shifts: readonly ShiftToProcess[]): (readonly ShiftToProcess[])[] {
  const share = Math.ceil(shifts.length / (availableParallelism() * piecesPerThread));
  const size = Math.min(largestPiece, share);
  return Array.from({ length: Math.ceil(shifts.length / size) }, (_, index) =>
    shifts.slice(index * size, (index + 1) * size),
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
