import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entityTag } from '../../../../build/release/headers.ts';
import { manifestFile, parseManifest, type Resources } from '../../../../build/release/manifest.ts';

export type Access = 'public' | 'protected';
export type Coding = 'br' | 'gzip' | 'identity';

/** A stored body of a release. */
export interface StoredBody {
  readonly access: Access;
  readonly path: string;
  readonly mediaType: string;
  readonly coding: Coding;
  readonly etag: string;
  readonly bytes: Buffer;
}

/** The bodies of a release, read from its files. */
export interface StoredRelease {
  /** By access and path. */
  readonly resources: Readonly<Record<Access, ReadonlyMap<string, readonly StoredBody[]>>>;
  /** By ETag; several paths may have the same bytes. */
  readonly byTag: ReadonlyMap<string, readonly StoredBody[]>;
  /** By exam and year: full names of shifts, in chronological order. */
  readonly shifts: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

/** @param folder of a release */
export async function readStoredRelease(folder: string): Promise<StoredRelease> {
  const manifest = parseManifest(await readFile(join(folder, manifestFile), 'utf8'));
  const resources = {
    public: await readAll(folder, 'public', manifest.public),
    protected: await readAll(folder, 'protected', manifest.protected),
  };
  const all = [...resources.public.values(), ...resources.protected.values()].flat();
  const byTag = new Map<string, StoredBody[]>();
  for (const served of all) byTag.set(served.etag, [...(byTag.get(served.etag) ?? []), served]);
  return { resources, byTag, shifts: shiftsOf([...resources.protected.keys()]) };
}

async function readAll(
  folder: string,
  access: Access,
  resources: Resources,
): Promise<Map<string, readonly StoredBody[]>> {
  const found = new Map<string, readonly StoredBody[]>();
  for (const [path, { mediaType, identity, br, gzip }] of Object.entries(resources)) {
    const served: StoredBody[] = [];
    for (const [coding, variant] of Object.entries({ identity, br, gzip })) {
      if (!variant) continue;
      const bytes = await readFile(join(folder, variant.file));
      const etag = entityTag(variant.sha256);
      served.push({ access, path, mediaType, coding: coding as Coding, etag, bytes });
    }
    found.set(path, served);
  }
  return found;
}

function shiftsOf(paths: readonly string[]): Map<string, Map<string, string[]>> {
  const exams = new Map<string, Map<string, string[]>>();
  for (const path of paths) {
    const [exam = '', year = '', shift = ''] = path.split('/');
    const years = exams.get(exam) ?? new Map<string, string[]>();
    exams.set(exam, years);
    const names = years.get(year) ?? [];
    if (!names.includes(shift)) years.set(year, [...names, shift].sort(chronologically));
  }
  return exams;
}

/** By date, then by the number of the shift as a number (design: Resources). */
function chronologically(one: string, other: string): number {
  const [[date, number], [otherDate, otherNumber]] = [one, other].map((name) =>
    name.split('-s'),
  ) as [[string, string], [string, string]];
  return date === otherDate ? Number(number) - Number(otherNumber) : date < otherDate ? -1 : 1;
}
