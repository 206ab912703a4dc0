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
  const [
    { checkContent },
    { bankOutputs, compileExams, shiftTables },
    { siteOutputs },
    { publish, responseReader },
  ] = await Promise.all([
    import('./run/check-content.ts'),
    import('./compile/exams.ts'),
    import('./site/site.ts'),
    import('./publish/publish.ts'),
  ]);
  const { content, inputs, cache, bank, draft, last, stopwatch } = opened;
  try {
    const checked = await checkContent({ ...setting, ...opened });
    const { report, published: shifts, timed } = checked;
    stopwatch.lap('check');
    if (report.summary.errors > 0) {
      await cache.save(content);
      return { report, publication: undefined };
    }
    const compiled = shifts.map((shift) => shift.compiled);
    const exams = compileExams(checked.exams, compiled, bank);
    const read = responseReader(shifts, draft, last);
    const pages = await siteOutputs(bank, exams, setting.signer !== undefined, read);
    const outputs = [...bankOutputs(exams, bank), ...pages];
    stopwatch.lap('pages');
    const contents = { shifts, outputs, aliases: shiftTables(exams) };
    const publication = await publish({ ...setting, ...opened, distDir }, contents);
    await cache.save(content, { inputs, id: publication.manifest.id, report });
    stopwatch.lap('cache');
    return { report, publication: { ...publication, stages: stopwatch.laps, timed } };
  } finally {
    await opened.close();
  }
}
