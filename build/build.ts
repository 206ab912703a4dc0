import { CacheFile } from './cache.ts';
import type { Report } from './check/diagnostic.ts';
import type { CachedResult } from './check/result-cache.ts';
import type { PublishedShift } from './compile/compile-shift.ts';
import { FileStamps } from './content/stamps.ts';
import type { Progress } from './pool.ts';
import { LastRelease } from './publish/last-release.ts';
import { type BuildResult, Stopwatch } from './publish/result.ts';
import { switchCurrent } from './release/switch.ts';
import type { ValidationSetting } from './validate.ts';

/**
 * Validates the content and, if it has no errors, publishes it as the current release. Only shifts that changed since
 * the last build are processed. If nothing at all changed, the last release stays current.
 *
 * @throws NoContent if there is no content folder; the file system's own errors if `distDir` cannot be written
 */
export async function build(
  setting: ValidationSetting,
  distDir: string,
  onProgress: Progress = () => undefined,
): Promise<BuildResult> {
  const { contentDir, dataDir, now } = setting;
  const stopwatch = new Stopwatch();
  // Before any file is read, so that the next build notices what is saved meanwhile.
  const stamps = new FileStamps(contentDir, now.getTime());
  const lastBuild = await CacheFile.open<LastBuild>(dataDir, 'build');
  const unchanged = await unchangedBuild(await lastBuild.read(), stamps, distDir, now, stopwatch);
  if (unchanged) return unchanged;

  const steps = await loadSteps();
  const content = await steps.findContent(contentDir, stamps);
  const scope = steps.scopeOf(content);
  const cache = await steps.ResultCache.open(dataDir, { content, stamps });
  const last = LastRelease.open(distDir);
  const draft = await steps.Draft.open(distDir);
  stopwatch.lap('find');
  const publishedOf = (result: CachedResult) => publishedShift(result, last);
  const pool = steps.workerPool(
    () => ({
      ...{ contentDir, now: now.getTime(), draft: draft.folder, validFormulas: cache.validFormulas },
      cachedDigests: new Set(cache.unused().flatMap((result) => (publishedOf(result) ? result.digest : []))),
    }),
    onProgress,
  );
  try {
    const processed = await steps.processContent({ content, scope, cache, pool, publishedOf });
    stopwatch.lap('process');
    const report = await steps.checkBank(contentDir, content, scope, processed);
    stopwatch.lap('check the bank');
    if (report.summary.errors > 0) {
      await cache.save();
      return { report, publication: undefined };
    }
    const shifts = content.shifts
      .filter(({ papers }) => papers.length > 0)
      .map((folder) => {
        const shift = processed.published.get(steps.shiftPath(folder));
        if (!shift) throw new Error(`${steps.shiftPath(folder)} passed the checks but has no outputs.`);
        return shift;
      });
    const exams = steps.compileExams(
      processed.exams,
      shifts.map(({ compiled }) => compiled),
    );
    const site = await steps.siteOutputs(exams, last && (await steps.releasedBank(last)));
    stopwatch.lap('pages');
    const publication = await steps.publish(
      {
        ...{ distDir, draft, last, now, stopwatch },
        // The last work of the pool. Its threads free their memory before the manifest is written.
        compress: (files) => pool.map('compress', 'Compressed:', files).finally(() => pool.close()),
      },
      {
        shifts,
        outputs: [...steps.bankOutputs(exams), ...site],
        aliases: steps.shiftTables(exams),
      },
    );
    await cache.save();
    // Before the build is stored as done: a build that finds nothing changed does not look for drafts.
    draft.remove();
    if (stamps.digest !== undefined)
      await lastBuild.write({ stamps: stamps.digest, id: publication.manifest.id, report });
    stopwatch.lap('cache');
    return { report, publication: { ...publication, stages: stopwatch.laps, timed: processed.timed } };
  } finally {
    await pool.close();
    draft.remove();
  }
}

/** What is stored of a build that published. */
interface LastBuild {
  /** The digest of all stamps of its content. */
  readonly stamps: string;
  /** Of the release that it published. */
  readonly id: string;
  readonly report: Report;
}

/**
 * The result of a build in which neither the content nor the release has changed.
 *
 * @returns undefined if something may have changed
 * @throws the file system's own error if `distDir` cannot be written
 */
async function unchangedBuild(
  lastBuild: LastBuild | undefined,
  stamps: FileStamps,
  distDir: string,
  now: Date,
  stopwatch: Stopwatch,
): Promise<BuildResult | undefined> {
  if (!lastBuild || lastBuild.stamps !== stamps.digest) return undefined;
  stopwatch.lap('find');
  const last = LastRelease.open(distDir);
  if (last?.manifest.id !== lastBuild.id || !last.isWhole()) return undefined;
  const { folder, manifest } = last;
  const changedUrls = await switchCurrent(distDir, last, now);
  stopwatch.lap('check the release');
  const reused = [manifest.public, manifest.protected].flatMap(Object.keys).length;
  return {
    report: lastBuild.report,
    publication: { manifest, folder, changedUrls, reused, created: 0, stages: stopwatch.laps, timed: [] },
  };
}

/** What an earlier build published of a shift, if the last release still stores all of it. */
function publishedShift(
  { published }: CachedResult,
  last: LastRelease | undefined,
): PublishedShift | undefined {
  if (published === undefined || !last) return undefined;
  const shift: PublishedShift = JSON.parse(published);
  const isStored = shift.responses.every(({ path, sha256 }) => last.stored('protected', path, sha256));
  return isStored ? shift : undefined;
}

/** Loading these modules takes longer than finding that nothing has changed. */
async function loadSteps() {
  const [content, scope, cache, processing, bank, validation, exams, changes, site, draft, publishing] =
    await Promise.all([
      import('./content/find.ts'),
      import('./check/scope.ts'),
      import('./check/result-cache.ts'),
      import('./check/process-content.ts'),
      import('./check/check-bank.ts'),
      import('./validate.ts'),
      import('./compile/exams.ts'),
      import('./site/catalogue/changes.ts'),
      import('./site/site.ts'),
      import('./publish/draft.ts'),
      import('./publish/publish.ts'),
    ]);
  return {
    ...content,
    ...scope,
    ...cache,
    ...processing,
    ...bank,
    ...validation,
    ...exams,
    ...changes,
    ...site,
    ...draft,
    ...publishing,
  };
}
