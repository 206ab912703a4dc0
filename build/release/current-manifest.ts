import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { currentLink, DamagedRelease, type Manifest, manifestFile, parseManifest } from './manifest.ts';

/**
 * The manifest of the current release.
 *
 * @returns undefined when there is none, or none that can be read: of an older format, or damaged
 */
export async function currentManifest(distDir: string): Promise<Manifest | undefined> {
  try {
    return parseManifest(await readFile(join(distDir, currentLink, manifestFile), 'utf8'));
  } catch (error) {
    if (error instanceof DamagedRelease || (error as NodeJS.ErrnoException).syscall !== undefined)
      return undefined;
    throw error;
  }
}
