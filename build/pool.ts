import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, workerData } from 'node:worker_threads';
import type { Tinypool } from 'tinypool';
import { compiledFile } from './compile.js';

/** Called as long work proceeds: what is counted, how many are done, of how many. */
export type Progress = (label: string, done: number, total: number) => void;

/** A task turns each item into a result, in the order of the items. */
export type Task<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

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

/** What a pool needs to run the tasks of `worker.ts`. */
interface PoolOptions<Setting, Tasks> {
  /** Passed to each thread when the pool opens. */
  readonly setting: () => Setting;
  /** Creates the tasks in this thread. */
  readonly local: (setting: Setting) => Promise<Tasks>;
  readonly onProgress: Progress;
}

type ItemOf<SomeTask> = SomeTask extends Task<infer Item, unknown> ? Item : never;
type ResultOf<SomeTask> = SomeTask extends Task<never, infer Result> ? Result : never;

export type Pool<Tasks extends Callable<Tasks>, Setting> = ReturnType<
  typeof taskPool<Tasks, Setting>
>;

type Callable<Tasks> = { readonly [Name in keyof Tasks]: Task<never, unknown> };

/** Runs tasks in this thread, or in one worker thread for each core if there is much to do. */
export function taskPool<Tasks extends Callable<Tasks>, Setting>(
  options: PoolOptions<Setting, Tasks>,
) {
  let local: Tasks | undefined;
  let threads: Tinypool | undefined;

  /** Chooses where tasks run. An open pool only changes to threads. @param files how many files there are to process */
  async function open(files: number): Promise<void> {
    if (threads || (local && files < manyFiles)) return;
    const setting = options.setting();
    if (files < manyFiles) local = await options.local(setting);
    else threads = await startThreads(setting);
  }

  return {
    open,

    /**
     * @param label names the items for the progress report
     * @returns the results, in the order of the items
     * @throws what the task throws
     */
    async map<Name extends keyof Tasks & string>(
      name: Name,
      label: string,
      items: readonly ItemOf<Tasks[Name]>[],
    ): Promise<readonly ResultOf<Tasks[Name]>[]> {
      type Results = readonly ResultOf<Tasks[Name]>[];
      if (items.length === 0) return [];
      if (!local && !threads) await open(items.length);
      const running = threads;
      if (!running) return local?.[name](items as never) as Promise<Results>;
      let done = 0;
      const results = await Promise.all(
        piecesOf(items).map(async (piece) => {
          const result = await running.run({ name, items: piece } satisfies Piece);
          done += piece.length;
          options.onProgress(label, done, items.length);
          if (!('failure' in result)) return result as Results;
          const { message, ...rest } = (result as Failure).failure;
          throw Object.assign(new Error(message), rest);
        }),
      );
      return results.flat();
    },

    /** Stops the threads and frees their memory. */
    async close(): Promise<void> {
      const stopped = threads;
      local = undefined;
      threads = undefined;
      await stopped?.destroy();
    },
  };
}

function piecesOf<Item>(items: readonly Item[]): (readonly Item[])[] {
  const share = Math.ceil(items.length / (availableParallelism() * piecesPerThread));
  const size = Math.min(largestPiece, share);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

async function startThreads(setting: unknown): Promise<Tinypool> {
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

interface Piece {
  readonly name: string;
  readonly items: readonly unknown[];
}

/** A file system error, with the path. Between threads an error loses all properties except its message. */
interface Failure {
  readonly failure: Readonly<
    Record<'message' | 'syscall', string> & Record<'code' | 'path', string | undefined>
  >;
}

/** Makes tasks callable by a pool: the default export of a worker module. Undefined in the main thread. */
export function servedTasks<Setting>(
  createTasks: (setting: Setting) => Readonly<Record<string, Task<never, unknown>>>,
): ((piece: Piece) => Promise<unknown>) | undefined {
  if (isMainThread) return undefined;
  // Tinypool puts its own data first.
  const tasks = createTasks(workerData[1]);
  return async ({ name, items }) => {
    try {
      return await tasks[name]?.(items as never);
    } catch (error) {
      const { message, code, syscall, path } = error as NodeJS.ErrnoException;
      if (syscall === undefined) throw error;
      return { failure: { message, syscall, code, path } } satisfies Failure;
    }
  };
}
