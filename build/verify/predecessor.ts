import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  currentLink,
  type Manifest,
  manifestFile,
  type Resources,
  releasesFolder,
  sealManifest,
} from '../release/manifest.ts';
import { changesPath } from '../site/catalogue/last-release.ts';

/**
 * Puts into an empty dist folder a release that says of its years, and of what changed last, what another says, and
 * nothing else. A build on top of it carries the list of changes over if the content gives the same years, as it
 * does on top of the other release itself; but it has no paper, page or compressed form to take from it.
 *
 * @param folder the other release
 */
export async function plantPredecessor(distDir: string, folder: string, manifest: Manifest): Promise<void> {
  const years = Object.entries(manifest.shifts).flatMap(([exam, each]) =>
    Object.keys(each).map((year) => `${exam}/${year}`),
  );
  const kept: Record<string, Resources[string]> = {};
  for (const path of [...years, changesPath]) {
    const resource = manifest.public[path];
    if (resource) kept[path] = { mediaType: resource.mediaType, identity: resource.identity };
  }
  const planted = sealManifest({
    // No encoder's: what is compressed is compressed anew.
    encoder: '',
    public: kept,
    protected: {},
    shifts: manifest.shifts,
    hosts: {},
  });
  const target = join(releasesFolder, planted.id);
  for (const { identity } of Object.values(kept)) {
    const file = join(distDir, target, identity.file);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await readFile(join(folder, identity.file)));
  }
  await mkdir(join(distDir, target), { recursive: true });
  await writeFile(join(distDir, target, manifestFile), JSON.stringify(planted));
  await symlink(target, join(distDir, currentLink));
}
