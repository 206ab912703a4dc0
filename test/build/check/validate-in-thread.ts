import type { Report } from '../../../build/check/diagnostic.ts';
import type { ProcessOptions } from '../../../build/check/process-shift.ts';
import { findContent } from '../../../build/content/file.ts';
import { defaultBank } from '../../../build/release/config.ts';
import { type Cache, openCache } from '../../../build/run/cache.ts';
import { checkContent } from '../../../build/run/check-content.ts';
import type { ValidationSetting } from '../../../build/run/setting.ts';
import { shiftProcessor } from '../../../build/run/worker.ts';
import { temporaryFolder } from '../bank-folder.ts';

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
  reused?: Cache,
  compile = false,
): Promise<Report> {
  const content = await findContent(contentDir);
  const cache = reused ?? (await openCache(dataDir));
  const { validFormulas } = cache;
  const [distDir, scratch] = [await temporaryFolder(), await temporaryFolder()];
  const destination = compile ? { distDir, scratch } : undefined;
  const shifts = shiftProcessor({ contentDir, now, validFormulas, destination }, loadKatex);
  const pool = {
    shifts: (all: Parameters<typeof shifts>[0]) =>
      shifts(all.map(({ folder }) => ({ folder, cached: undefined }))),
  };
  const setting = { contentDir, content, stamps: undefined, cache, pool, bank };
  const { report } = await checkContent(setting);
  // Writing the cache after every check would take longer than the check.
  if (!reused) await cache.save(content);
  return report;
}
