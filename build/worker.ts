import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ContentSetting, type ContentTasks, contentTasks } from './check/content-tasks.ts';
import type { PublishedShift, ShiftOutputs } from './compile/compile-shift.ts';
import { protectedFile } from './compile/response.ts';
import { servedTasks, type Task } from './pool.ts';
import { type Codings, compressFiles, type PlainFile } from './publish/encode.ts';
import { writeWithPath } from './release/files.ts';

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
    ...contentTasks(
      setting,
      draft === undefined ? undefined : (outputs) => storeShift(draft, outputs),
    ),
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

/** The entry point of a worker thread. */
export default servedTasks(
  createTasks as (setting: WorkerSetting) => Tasks & Record<string, never>,
);
