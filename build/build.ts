import type { BuildResult } from './publish/publish.ts';
import { openBuild } from './run/open-build.ts';
import type { Progress } from './run/pool.ts';
import type { BuildSetting } from './run/setting.ts';

/**
 * Validates the content and, if it has no errors, publishes it as the current release. Only shifts that changed since
 * the last build are processed. If nothing at all changed, the last release stays current.
 *
 * @throws UserError if there is no content folder; the file system's own errors if `distDir` cannot be written
 */
export async function build(
  setting: BuildSetting,
  distDir: string,
  onProgress?: Progress,
): Promise<BuildResult> {
  const opened = await openBuild(setting, distDir, onProgress);
  if (opened.unchanged) return opened.unchanged;
  // Loading them takes longer than finding that nothing has changed.
  const [{ checkContent }, { bankOutputs, compileExams }, { siteOutputs }, publishing, indexes] =
    await Promise.all([
      import('./run/check-content.ts'),
      import('./compile/exams.ts'),
      import('./site/site.ts'),
      import('./publish/publish.ts'),
      import('./publish/years.ts'),
    ]);
  const { content, inputs, cache, bank, last } = opened;
  try {
    const checked = await checkContent({ ...setting, ...opened });
    const { report, processed } = checked;
    // Its threads free their memory before the release is written.
    await opened.pool.close();
    if (report.summary.errors > 0) {
      await cache.save(content, null);
      return { report, publication: undefined };
    }
    const exams = compileExams(checked.exams, checked.compiled, bank);
    const lists = [...bankOutputs(exams, bank)];
    const parts = { distDir, processed, last };
    const { years, ...questions } = await indexes.storeYears(exams, lists, parts);
    const read = indexes.responseReader(distDir, years);
    const pages = await siteOutputs(exams, read, { ...setting, ...opened });
    const outputs = [...lists, ...questions.outputs, ...pages.outputs];
    const unchanged = { ...questions.unchanged, ...pages.unchanged };
    const contents = { outputs, unchanged, years };
    const publication = await publishing.publish({ ...setting, ...opened, distDir }, contents);
    const { name: release } = publication.release;
    const { documentation } = pages;
    await cache.save(content, { inputs, release, report, documentation });
    return { report, publication };
  } finally {
    await opened.close();
  }
}
