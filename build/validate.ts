import { scopeOf } from './check/check-bank.ts';
import type { Report } from './check/diagnostic.ts';
import { baselinePath, findContent } from './content/file.ts';
import { FileStamps } from './content/stamps.ts';
import { defaultBank } from './release/config.ts';
import { openCache } from './run/cache.ts';
import { checkContent } from './run/check-content.ts';
import { openPool, type Progress } from './run/pool.ts';
import type { ValidationSetting } from './run/setting.ts';

/**
 * Validates the content. Files that have not changed since an earlier run are not read.
 *
 * @param changed paths that changed: only the problems of these, and between these and others, are reported
 * @param onProgress called during long work
 * @throws UserError if the content folder does not exist
 */
export async function validateContent(
  { contentDir, dataDir, now, bank = defaultBank, ignoresBaseline = false }: ValidationSetting,
  changed?: ReadonlySet<string>,
  onProgress?: Progress,
): Promise<Report> {
  const stamps = new FileStamps(contentDir, now.getTime());
  const found = await findContent(contentDir, stamps);
  const exceptions = found.exceptions.filter((path) => !ignoresBaseline || path !== baselinePath);
  const content = { ...found, exceptions };
  const cache = await openCache(dataDir);
  const { validFormulas } = cache;
  const pool = openPool({ contentDir, now, validFormulas }, onProgress);
  try {
    const scope = scopeOf(changed);
    const setting = { contentDir, content, stamps, cache, pool, bank, scope };
    const { report } = await checkContent(setting);
    await cache.save(content);
    return report;
  } finally {
    await pool.close();
  }
}
