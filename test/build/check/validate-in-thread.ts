import { checkBank } from '../../../build/check/check-bank.ts';
import { type ContentTasks, contentTasks } from '../../../build/check/content-tasks.ts';
import type { Report } from '../../../build/check/diagnostic.ts';
import { type Processing, processContent, scopeOf } from '../../../build/check/process-content.ts';
import type { ProcessOptions } from '../../../build/check/process-shift.ts';
import { openResultCache, type ResultCache } from '../../../build/check/result-cache.ts';
import type { PublishedShift } from '../../../build/compile/compile-shift.ts';
import { findContent } from '../../../build/content/find.ts';
import { defaultBank } from '../../../build/release/bank.ts';
import type { ValidationSetting } from '../../../build/validate.ts';

/**
 * Validates in this thread and reads every file. Only the cache of formulas is used.
 *
 * @param loadKatex replaces the loading of KaTeX
 * @param reused a cache that is not written
 * @param compile also compiles the responses of shifts that could be published with exceptions
 */
export async function validateInThread(
  { contentDir, dataDir, now, bank = defaultBank }: ValidationSetting,
  loadKatex?: ProcessOptions['loadKatex'],
  reused?: ResultCache,
  compile = false,
): Promise<Report> {
  const content = await findContent(contentDir);
  const cache = reused ?? (await openResultCache(dataDir));
  const { validFormulas } = cache;
  const setting = {
    contentDir,
    now: now.getTime(),
    cachedDigests: new Set<string>(),
    validFormulas,
  };
  const store = compile ? () => ({}) as PublishedShift : undefined;
  const tasks = contentTasks(setting, store, loadKatex);
  const pool = {
    open: async () => undefined,
    map: (name: keyof ContentTasks, _: string, items: readonly never[]) => tasks[name](items),
  } as unknown as Processing['pool'];
  const scope = scopeOf(content);
  const processed = await processContent({ content, scope, cache, pool, source: bank.source });
  // Writing the cache after every check would take longer than the check.
  if (!reused) await cache.save();
  return checkBank(contentDir, content, scope, processed, bank);
}
