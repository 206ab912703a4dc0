import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { findContent } from '../content/file.ts';
import { FileStamps } from '../content/stamps.ts';
import { type LastRelease, openLastRelease } from '../publish/last-release.ts';
import type { BuildResult } from '../publish/publish.ts';
import { defaultBank, imageFields } from '../release/config.ts';
import { openDraft } from '../release/draft.ts';
import { hasSigner, storeSignature } from '../release/signature.ts';
import { switchCurrent } from '../release/switch.ts';
import { Stopwatch } from '../release/waits.ts';
import { openCache, readLastBuild } from './cache.ts';
import { openPool, type Progress } from './pool.ts';
import type { BuildSetting } from './setting.ts';

/**
 * Finds the content, and opens what a build of it needs. If nothing at all changed since the last build, there is
 * nothing to do but to return its result.
 *
 * @throws UserError if there is no content folder; the file system's own errors if `distDir` cannot be written
 */
export async function openBuild(setting: BuildSetting, distDir: string, onProgress?: Progress) {
  const { contentDir, dataDir, now, bank = defaultBank } = setting;
  const stopwatch = new Stopwatch();
  // Before any file is read, so that the next build notices what is saved meanwhile.
  const stamps = new FileStamps(contentDir, now.getTime());
  const last = openLastRelease(distDir);
  const inputs = inputsOf(stamps, setting);
  const unchanged = await unchangedBuild(setting, inputs, distDir, last, stopwatch);
  if (unchanged) return { unchanged };
  const content = await findContent(contentDir, stamps);
  const cache = await openCache(dataDir);
  const draft = await openDraft(distDir);
  const { validFormulas } = cache;
  const pool = openPool({ contentDir, now, validFormulas, draft: draft.folder }, onProgress);
  stopwatch.lap('find');
  return {
    unchanged: undefined,
    ...{ content, stamps, inputs, cache, pool, bank, last, draft, stopwatch },
    async close(): Promise<void> {
      await pool.close();
      draft.remove();
    },
  };
}

/** The digest of what a build depends on; undefined if a file of the content was changed just now. */
function inputsOf(
  { digest }: FileStamps,
  { bank, isQuick = false }: BuildSetting,
): string | undefined {
  const images = imageFields.map((field) => {
    const path = bank?.[field];
    return path === undefined ? null : hash('sha256', readFileSync(path));
  });
  return digest && hash('sha256', JSON.stringify([digest, bank ?? null, isQuick, images]));
}

/**
 * The result of a build in which neither the content nor the release has changed.
 *
 * @returns undefined if something may have changed
 */
async function unchangedBuild(
  { dataDir, now, signer }: BuildSetting,
  inputs: string | undefined,
  distDir: string,
  last: LastRelease | undefined,
  stopwatch: Stopwatch,
): Promise<BuildResult | undefined> {
  const lastBuild = await readLastBuild(dataDir);
  if (inputs === undefined || lastBuild?.inputs !== inputs) return undefined;
  stopwatch.lap('find');
  if (last?.manifest.id !== lastBuild.id || !last.isWhole()) return undefined;
  const { folder, manifest } = last;
  if (!hasSigner(manifest, signer)) return undefined;
  if (signer) await storeSignature(folder, manifest, signer);
  const changedUrls = await switchCurrent(distDir, last, now);
  stopwatch.lap('check the release');
  const reused = [manifest.public, manifest.protected].flatMap(Object.keys).length;
  return {
    report: lastBuild.report,
    publication: { manifest, changedUrls, reused, created: 0, stages: stopwatch.laps, timed: [] },
  };
}
