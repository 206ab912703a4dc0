/**
 * Reads releases of the format before this one, whose `manifest.json` names files of the release's own folder, so that a
 * gateway can serve them and a switch to them can be undone. The next version no longer reads them.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DamagedRelease,
  formatVersion,
  type PublicResource,
  type Root,
  type ShiftAliases,
  type ShiftFile,
  type StoredObject,
  type StoredResource,
  type YearIndex,
} from './root.ts';

const manifestFile = 'manifest.json';

interface Manifest {
  readonly format: number;
  readonly id: string;
  readonly encoder: string;
  readonly public: Readonly<Record<string, StoredResource>>;
  readonly protected: Readonly<Record<string, StoredResource>>;
  readonly shifts: Readonly<Record<string, Readonly<Record<string, ShiftAliases>>>>;
}

/** An object of such a release, and its path in the release's folder. */
type StoredFile = StoredObject & { readonly file: string };

/**
 * Reads a release in the form of a newer one. It has no packs, as its files have no CRC-32.
 *
 * @param folder of the release
 * @returns undefined if there is none
 * @throws DamagedRelease when its manifest was changed
 */
export async function oldRelease(folder: string) {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const manifest = parseManifest(text);
  const indexes = new Map<string, YearIndex>();
  const years: Record<string, Record<string, StoredObject>> = {};
  for (const [exam, ofExam] of Object.entries(manifest.shifts)) {
    years[exam] = {};
    for (const [year, aliases] of Object.entries(ofExam)) {
      const sha256 = hash('sha256', `${manifest.id} ${exam}/${year}`);
      years[exam][year] = { sha256, size: 0 };
      const names = [...new Set(Object.values(aliases))].sort();
      const shifts = Object.fromEntries(
        names.map((name) => [name, filesOf(manifest, `${exam}/${year}/${name}/`)]),
      );
      indexes.set(sha256, { exam, year, aliases, shifts });
    }
  }
  const resources = Object.entries(manifest.public).map(([path, resource]) => {
    return [path, { ...resource, file: path } satisfies PublicResource];
  });
  const root: Root = {
    format: formatVersion,
    id: manifest.id,
    encoder: manifest.encoder,
    public: Object.fromEntries(resources),
    years,
    hosts: {},
  };
  return {
    root,
    sha256: hash('sha256', text),
    readYear: async ({ sha256 }: StoredObject) => indexes.get(sha256) as YearIndex,
    pathOf: (object: StoredObject) => join(folder, (object as StoredFile).file),
  };
}

function filesOf({ protected: resources }: Manifest, shift: string): Record<string, ShiftFile> {
  const files: Record<string, ShiftFile> = {};
  for (const [path, resource] of Object.entries(resources))
    if (path.startsWith(shift)) files[path.slice(shift.length)] = { ...resource, crc32: 0 };
  return files;
}

/** @throws DamagedRelease */
function parseManifest(text: string): Manifest {
  try {
    const manifest = JSON.parse(text);
    if (manifest.format === 2 && /^[0-9a-f]{16}$/.test(manifest.id)) return manifest;
  } catch {
    // The same as another text.
  }
  throw new DamagedRelease(`${manifestFile} was changed, or is of a format that is no longer read`);
}
