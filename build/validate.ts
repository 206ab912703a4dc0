import { checkBank } from './check/check-bank.ts';
import type { Report } from './check/diagnostic.ts';
import { processContent, scopeOf } from './check/process-content.ts';
import { openResultCache } from './check/result-cache.ts';
import { baselinePath, findContent } from './content/find.ts';
import { FileStamps } from './content/stamps.ts';
import { type Pool, type Progress, taskPool } from './pool.ts';
import { type Bank, defaultBank } from './release/bank.ts';
import type { Tasks, WorkerSetting } from './worker.ts';

export interface ValidationSetting {
  readonly contentDir: string;
  /** Holds the cache. */
  readonly dataDir: string;
  readonly now: Date;
  /** The configuration of the bank. */
  readonly bank?: Bank;
  /** Reports the problems in the baseline, too. */
  readonly ignoresBaseline?: boolean;
}

/**
 * Validates the content. Files that have not changed since an earlier run are not read.
 *
 * @param changed paths that changed: only these are validated, the others as far as they must agree with them
 * @param onProgress called during long work
 * @throws UserError if the content folder does not exist
 */
export async function validateContent(
  setting: ValidationSetting,
  changed?: ReadonlySet<string>,
  onProgress: Progress = () => undefined,
): Promise<Report> {
  const { contentDir, dataDir, now, bank = defaultBank, ignoresBaseline = false } = setting;
  const stamps = new FileStamps(contentDir, now.getTime());
  const found = await findContent(contentDir, stamps);
  const exceptions = found.exceptions.filter((path) => !ignoresBaseline || path !== baselinePath);
  const content = { ...found, exceptions };
  const scope = scopeOf(content, changed);
  const cache = await openResultCache(dataDir, { content, stamps });
  const pool = workerPool(
    () => ({
      contentDir,
      now: now.getTime(),
      validFormulas: cache.validFormulas,
      cachedDigests: new Set(cache.unused().map(({ digest }) => digest)),
    }),
    onProgress,
  );
  try {
    const processed = await processContent({ content, scope, cache, pool, source: bank.source });
    const report = await checkBank(contentDir, content, scope, processed, bank);
    await cache.save(scope.others.length > 0);
    return report;
  } finally {
    await pool.close();
  }
}

/** A pool for the tasks of `worker.ts`, which is loaded only when there is something to process. */
export function workerPool(
  setting: () => WorkerSetting,
  onProgress: Progress,
): Pool<Tasks, WorkerSetting> {
  const local = async (data: WorkerSetting) => (await import('./worker.ts')).createTasks(data);
  return taskPool({ setting, local, onProgress });
}
