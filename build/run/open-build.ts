import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findContent } from '../content/file.ts';
import { FileStamps } from '../content/stamps.ts';
import { encoder } from '../publish/encode.ts';
import type { BuildResult } from '../publish/publish.ts';
import { defaultBank, imageFields } from '../release/config.ts';
import { openDraft } from '../release/draft.ts';
import { hasObject } from '../release/objects.ts';
import { type Release, readCurrent } from '../release/read.ts';
import { type PublicResource, releasesFolder, yearsOf } from '../release/root.ts';
import { hasSigner, storeSignature } from '../release/signature.ts';
import { switchCurrent } from '../release/switch.ts';
import type { LastDocumentation } from '../site/site.ts';
import { type LastBuild, openCache, readLastBuild } from './cache.ts';
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
  const reading = readLastBuild(dataDir);
  // Before any file is read, so that the next build notices what is saved meanwhile.
  const stamps = new FileStamps(contentDir, now.getTime());
  const last = setting.isRepair ? undefined : await lastRelease(distDir);
  const lastBuild = await reading;
  const inputs = inputsOf(stamps, setting);
  const unchanged = await unchangedBuild(setting, inputs, distDir, last, lastBuild);
  if (unchanged) return { unchanged };
  const content = await findContent(contentDir, stamps);
  const cache = await openCache(dataDir);
  const isStored = await storedShifts(last, lastBuild);
  const draft = await openDraft(distDir);
  const { validFormulas } = cache;
  const destination = { distDir, scratch: draft.scratch };
  const pool = openPool({ contentDir, now, validFormulas, destination }, onProgress);
  return {
    unchanged: undefined,
    ...{ content, stamps, inputs, cache, pool, bank, last, isStored, draft },
    lastDocumentation: documentationOf(last, lastBuild),
    async close(): Promise<void> {
      await pool.close();
      await draft.remove();
    },
  };
}

/** The current release, if it can be built upon. That its objects are undamaged is not checked. */
async function lastRelease(distDir: string): Promise<Release | undefined> {
  const release = await readCurrent(distDir).catch(() => undefined);
  if (!release || release.isOld || release.root.encoder !== encoder) return undefined;
  for (const { index } of yearsOf(release.root))
    if (!(await hasObject(distDir, index))) return undefined;
  return release;
}

/** Whether the last release has the files of a shift, by its path and the digest of its files. */
export type IsStored = (shift: string, files: string) => boolean;

/** If the last build published the last release, all its shifts are in there. Otherwise they are compared. */
async function storedShifts(
  last: Release | undefined,
  lastBuild: LastBuild | undefined,
): Promise<IsStored> {
  if (!last) return () => false;
  if (lastBuild?.release === last.name) return () => true;
  const { digestOfFiles } = await import('./worker.ts');
  const digests = new Map<string, string>();
  for (const { exam, year, index } of yearsOf(last.root)) {
    const { shifts } = await last.readYear(index);
    for (const [shift, files] of Object.entries(shifts))
      digests.set(`${exam}/${year}/${shift}`, digestOfFiles(files));
  }
  return (shift, files) => digests.get(shift) === files;
}

/** The pages of the documentation in the last release, if the last build published it. */
function documentationOf(
  last: Release | undefined,
  lastBuild: LastBuild | undefined,
): LastDocumentation | undefined {
  if (!lastBuild || !last || lastBuild.release !== last.name) return undefined;
  const { key, paths } = lastBuild.documentation;
  const resources: Record<string, PublicResource> = {};
  for (const path of paths) {
    const resource = last.root.public[path];
    if (!resource) return undefined;
    resources[path] = resource;
  }
  return { key, paths, resources };
}

/** The digest of what a build depends on; undefined if a file of the content was changed just now. */
function inputsOf({ digest }: FileStamps, { bank }: BuildSetting): string | undefined {
  const images = imageFields.map((field) => {
    const path = bank?.[field];
    return path === undefined ? null : hash('sha256', readFileSync(path));
  });
  return digest && hash('sha256', JSON.stringify([digest, bank ?? null, images]));
}

/**
 * The result of a build in which neither the content nor the release has changed.
 *
 * @returns undefined if something may have changed
 */
async function unchangedBuild(
  { now, signer, bank = defaultBank }: BuildSetting,
  inputs: string | undefined,
  distDir: string,
  last: Release | undefined,
  lastBuild: LastBuild | undefined,
): Promise<BuildResult | undefined> {
  if (inputs === undefined || lastBuild?.inputs !== inputs) return undefined;
  if (last === undefined || last.name !== lastBuild.release || !hasSigner(last.root, signer))
    return undefined;
  if (signer) await storeSignature(join(distDir, releasesFolder, last.name), last.sha256, signer);
  const feed = { title: bank.name, origin: bank.publicUrl };
  const changedUrls = await switchCurrent(distDir, last, now, feed);
  return {
    report: lastBuild.report,
    publication: { release: last, changedUrls, created: 0, isUnchanged: true },
  };
}
