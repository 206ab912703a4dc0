import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { DamagedRelease, type Manifest, manifestFile, storedVariants } from '../release/manifest.ts';
import { verifyVariant } from '../release/verify.ts';

/** Files hashed side by side. */
const parallelReads = 8;

/**
 * Every way in which a release's folder is not what its manifest says: files that are missing or changed, and such
 * as the manifest does not name.
 */
export async function faultsOfFiles(folder: string, manifest: Manifest): Promise<string[]> {
  const faults: string[] = [];
  const variants = storedVariants(manifest);
  const workers = Array.from({ length: parallelReads }, async () => {
    for (const variant of variants) {
      try {
        await verifyVariant(folder, variant);
      } catch (error) {
        if (!(error instanceof DamagedRelease)) throw error;
        faults.push(error.message);
      }
    }
  });
  await Promise.all(workers);
  return [...faults, ...(await strays(folder, manifest))].sort();
}

async function strays(folder: string, manifest: Manifest): Promise<string[]> {
  const named = new Set([manifestFile, ...[...storedVariants(manifest)].map(({ file }) => file)]);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((path) => !named.has(path))
    .map((path) => `${path} is no file of the manifest`);
}
