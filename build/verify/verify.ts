import { mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from '../build.ts';
import { draftName } from '../release/draft.ts';
import { removeAbandonedDrafts } from '../release/drafts.ts';
import {
  currentLink,
  DamagedRelease,
  type Manifest,
  manifestFile,
  parseManifest,
  storedVariants,
} from '../release/manifest.ts';
import type { Report } from '../report/diagnostic.ts';
import { type Difference, differences } from './compare.ts';
import { faultsOfFiles } from './files.ts';
import { plantPredecessor } from './predecessor.ts';

export type Verification =
  /** The release is not what its manifest says: what the content gives was not asked. */
  | { readonly kind: 'damaged'; readonly faults: readonly string[] }
  /** The content has errors, and gives no release. */
  | { readonly kind: 'no-content'; readonly report: Report }
  | { readonly kind: 'different'; readonly manifest: Manifest; readonly differences: readonly Difference[] }
  | { readonly kind: 'same'; readonly manifest: Manifest; readonly files: number };

/**
 * Holds every file of the current release against its manifest, then builds the content with nothing remembered, in
 * a scratch folder inside the dist folder, and compares. The list of what changed last depends on the release before
 * this one, which may be gone: it is taken as the current release tells it, and everything else is made anew.
 *
 * @throws NoContent when there is no content folder; the file system's own errors
 */
export async function verify(contentDir: string, distDir: string, now: Date): Promise<Verification> {
  const link = join(distDir, currentLink);
  const folder = await realpath(link).catch(() => undefined);
  if (folder === undefined) return { kind: 'damaged', faults: [`${link} is missing`] };
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string') return { kind: 'damaged', faults: [manifest] };
  const faults = await faultsOfFiles(folder, manifest);
  if (faults.length > 0) return { kind: 'damaged', faults };

  await removeAbandonedDrafts(distDir);
  const scratch = join(distDir, draftName());
  await mkdir(scratch);
  try {
    const places = { distDir: join(scratch, 'dist'), dataDir: join(scratch, 'data') };
    await plantPredecessor(places.distDir, folder, manifest);
    const { report, publication } = await build({ contentDir, dataDir: places.dataDir, now }, places.distDir);
    if (!publication) return { kind: 'no-content', report };
    const found = differences(manifest, publication.manifest);
    if (found.length > 0) return { kind: 'different', manifest, differences: found };
    return { kind: 'same', manifest, files: [...storedVariants(manifest)].length };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The manifest, or what is wrong with it. */
async function readManifest(folder: string): Promise<Manifest | string> {
  try {
    return parseManifest(await readFile(join(folder, manifestFile), 'utf8'));
  } catch (error) {
    if (error instanceof DamagedRelease) return error.message;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return `${manifestFile} is missing`;
    throw error;
  }
}
