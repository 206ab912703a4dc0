import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openCache } from './cache.ts';
import type { Report } from './check/diagnostic.ts';
import { FileStamps } from './content/stamps.ts';
import type { BuildSetting } from './pipeline.ts';
import type { Progress } from './pool.ts';
import { openLastRelease } from './publish/last-release.ts';
import type { BuildResult } from './publish/publish.ts';
import { imageFields } from './release/bank.ts';
import { hasSigner, storeSignature } from './release/signature.ts';
import { switchCurrent } from './release/switch.ts';
import { Stopwatch } from './release/waits.ts';

/**
 * Validates the content and, if it has no errors, publishes it as the current release. Only shifts that changed since
 * the last build are processed. If nothing at all changed, the last release stays current.
 *
 * @throws UserError if there is no content folder; the file system's own errors if `distDir` cannot be written
 */
export async function build(
  setting: BuildSetting,
  distDir: string,
  onProgress: Progress = () => undefined,
): Promise<BuildResult> {
  const { contentDir, dataDir, now } = setting;
  const stopwatch = new Stopwatch();
  // Before any file is read, so that the next build notices what is saved meanwhile.
  const stamps = new FileStamps(contentDir, now.getTime());
  const lastBuild = await openCache<LastBuild>(dataDir, 'build');
  const inputs = stamps.digest && digestOf(stamps.digest, setting);
  const unchanged = await unchangedBuild(
    (await lastBuild.read())[0],
    inputs,
    distDir,
    setting,
    stopwatch,
  );
  if (unchanged) return unchanged;
  // Loading the pipeline takes longer than finding that nothing has changed.
  const { buildContent } = await import('./pipeline.ts');
  const result = await buildContent({ ...setting, distDir, stamps, stopwatch, onProgress });
  if (result.publication && inputs !== undefined) {
    const { id } = result.publication.manifest;
    await lastBuild.write([{ inputs, id, report: result.report }]);
  }
  return result;
}

function digestOf(stamps: string, { bank, isQuick = false }: BuildSetting): string {
  const images = imageFields.map((field) => {
    const path = bank?.[field];
    return path === undefined ? null : hash('sha256', readFileSync(path));
  });
  return hash('sha256', JSON.stringify([stamps, bank ?? null, isQuick, images]));
}

/** What is stored of a build that published. */
interface LastBuild {
  /** The digest of the stamps of its content, of the configuration and of the images that it names. */
  readonly inputs: string;
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
  inputs: string | undefined,
  distDir: string,
  { now, signer }: BuildSetting,
  stopwatch: Stopwatch,
): Promise<BuildResult | undefined> {
  if (!lastBuild || lastBuild.inputs !== inputs) return undefined;
  stopwatch.lap('find');
  const last = openLastRelease(distDir);
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
