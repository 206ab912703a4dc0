import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkBank } from './check/check-bank.ts';
import { processContent, scopeOf } from './check/process-content.ts';
import { type CachedResult, openResultCache } from './check/result-cache.ts';
import type { PublishedShift } from './compile/compile-shift.ts';
import { bankOutputs, compileExams, shiftTables } from './compile/exams.ts';
import { protectedFile } from './compile/response.ts';
import { findContent, shiftPath } from './content/find.ts';
import type { FileStamps } from './content/stamps.ts';
import type { Progress } from './pool.ts';
import { type LastRelease, openLastRelease } from './publish/last-release.ts';
import type { BuildResult } from './publish/publish.ts';
import { publish } from './publish/publish.ts';
import { defaultBank } from './release/bank.ts';
import { type Draft, openDraft } from './release/draft.ts';
import type { Signer } from './release/signature.ts';
import type { Stopwatch } from './release/waits.ts';
import type { ReadResponse } from './site/paper/sample-pages.ts';
import { siteOutputs } from './site/site.ts';
import { type ValidationSetting, workerPool } from './validate.ts';

export interface BuildSetting extends ValidationSetting {
  /** Signs the release. */
  readonly signer?: Signer | undefined;
  /** Whether the build shall end early rather than compress public responses as well as possible. */
  readonly isQuick?: boolean;
}

interface PipelineSetting extends BuildSetting {
  readonly distDir: string;
  /** Of the content, before any file is read. */
  readonly stamps: FileStamps;
  readonly stopwatch: Stopwatch;
  readonly onProgress: Progress;
}

/** Finds, processes and checks the content, and publishes it if it has no errors. The draft is removed in any case. */
export async function buildContent(setting: PipelineSetting): Promise<BuildResult> {
  const {
    bank = defaultBank,
    contentDir,
    dataDir,
    distDir,
    now,
    signer,
    isQuick = false,
  } = setting;
  const { stamps, stopwatch, onProgress } = setting;
  const content = await findContent(contentDir, stamps);
  const scope = scopeOf(content);
  const cache = await openResultCache(dataDir, { content, stamps });
  const last = openLastRelease(distDir);
  const draft = await openDraft(distDir);
  stopwatch.lap('find');
  const publishedOf = (result: CachedResult) => publishedShift(result, last);
  const pool = workerPool(
    () => ({
      contentDir,
      now: now.getTime(),
      draft: draft.folder,
      validFormulas: cache.validFormulas,
      cachedDigests: new Set(
        cache.unused().flatMap((result) => (publishedOf(result) ? result.digest : [])),
      ),
    }),
    onProgress,
  );
  try {
    const processed = await processContent({
      content,
      scope,
      cache,
      pool,
      publishedOf,
      source: bank.source,
    });
    stopwatch.lap('process');
    const report = await checkBank(contentDir, content, scope, processed, bank);
    stopwatch.lap('check the bank');
    if (report.summary.errors > 0) {
      await cache.save();
      return { report, publication: undefined };
    }
    const shifts = content.shifts
      .filter(({ papers }) => papers.length > 0)
      .map((folder) => {
        const shift = processed.published.get(shiftPath(folder));
        if (!shift) throw new Error(`${shiftPath(folder)} passed the checks but has no outputs.`);
        return shift;
      });
    const exams = compileExams(
      processed.exams,
      shifts.map(({ compiled }) => compiled),
      bank,
    );
    const read = responseReader(shifts, draft, last);
    const site = await siteOutputs(bank, exams, signer !== undefined, read);
    stopwatch.lap('pages');
    const publication = await publish(
      {
        distDir,
        draft,
        last,
        now,
        signer,
        isQuick,
        stopwatch,
        // The last work of the pool. Its threads free their memory before the manifest is written.
        compress: (files) => pool.map('compress', 'Compressed:', files).finally(() => pool.close()),
      },
      { shifts, outputs: [...bankOutputs(exams), ...site], aliases: shiftTables(exams) },
    );
    await cache.save();
    stopwatch.lap('cache');
    return {
      report,
      publication: { ...publication, stages: stopwatch.laps, timed: processed.timed },
    };
  } finally {
    await pool.close();
    draft.remove();
  }
}

/** Reads responses of these shifts, which are in the draft or in the last release. */
function responseReader(
  shifts: readonly PublishedShift[],
  draft: Draft,
  last: LastRelease | undefined,
): ReadResponse {
  return (path) => {
    const place = shifts.find(({ compiled: { exam, year, shift } }) =>
      path.startsWith(`${exam}/${year}/${shift}/`),
    );
    const response = place?.responses.find((one) => one.path === path);
    if (!response) throw new Error(`${path} is not in the bank.`);
    const file = protectedFile(path);
    const stored = last?.stored('protected', path, response.sha256)?.identity.file;
    const body = readFileSync(
      draft.has(file) || !last ? join(draft.folder, file) : join(last.folder, stored ?? file),
    );
    return { mediaType: response.mediaType, body };
  };
}

/** What an earlier build published of a shift, if the last release still stores all of it. */
function publishedShift(
  { published }: CachedResult,
  last: LastRelease | undefined,
): PublishedShift | undefined {
  if (published === undefined || !last) return undefined;
  const shift: PublishedShift = JSON.parse(published);
  const isStored = shift.responses.every(({ path, sha256 }) =>
    last.stored('protected', path, sha256),
  );
  return isStored ? shift : undefined;
}
