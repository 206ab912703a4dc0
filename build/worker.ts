import { type ContentSetting, type ContentTasks, contentTasks } from './check/content-tasks.ts';
import { servedTasks, type Task } from './pool.ts';
import { storeShift } from './publish/draft.ts';
import { type Codings, compressFiles, type PlainFile } from './publish/encode.ts';

/** What a pool runs, in this thread or in worker threads. */
export interface Tasks extends ContentTasks {
  /** Compresses files of the draft. */
  readonly compress: Task<PlainFile, Codings>;
}

export interface WorkerSetting extends ContentSetting {
  /** The folder of the draft; undefined if nothing is to be published. */
  readonly draft?: string | undefined;
}

export function createTasks(setting: WorkerSetting): Tasks {
  const { draft } = setting;
  return {
    ...contentTasks(setting, draft === undefined ? undefined : (outputs) => storeShift(draft, outputs)),
    async compress(files) {
      if (draft === undefined) throw new Error('There is no draft to compress.');
      return compressFiles(draft, files);
    },
  };
}

/** The entry point of a worker thread. */
export default servedTasks(createTasks as (setting: WorkerSetting) => Tasks & Record<string, never>);
