import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { changesFile } from '../../../../build/release/changes.ts';
import { entityTag } from '../../../../build/release/headers.ts';
import { type Release, readCurrent } from '../../../../build/release/read.ts';
import { type StoredResource, yearsOf } from '../../../../build/release/root.ts';
import { changesPath } from '../../../../build/release/urls.ts';
import { readTable } from '../../../../gateway/release/current-release.ts';
import { BodyCache, packBytes } from '../../../../gateway/release/send.ts';

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

/** Reads the current release of a dist folder, without its feed of changes. */
export async function readStoredRelease(distDir: string): Promise<StoredRelease> {
  const release = await readCurrent(distDir);
  const closed: Record<string, StoredResource> = {};
  for (const { exam, year, index } of yearsOf(release.root)) {
    const { shifts } = await release.readYear(index);
    for (const [shift, files] of Object.entries(shifts))
      for (const [file, stored] of Object.entries(files))
        closed[`${exam}/${year}/${shift}/${file}`] = stored;
  }
  const resources = {
    public: await readAll(release, 'public', release.root.public),
    protected: await readAll(release, 'protected', closed),
  };
  return withTags(resources, shiftsOf([...resources.protected.keys()]));
}

function withTags(
  resources: StoredRelease['resources'],
  shifts: StoredRelease['shifts'],
): StoredRelease {
  const all = [...resources.public.values(), ...resources.protected.values()].flat();
  const byTag = new Map<string, StoredBody[]>();
  for (const served of all) byTag.set(served.etag, [...(byTag.get(served.etag) ?? []), served]);
  return { resources, byTag, shifts };
}

/**
 * Reads everything that a gateway serves: also the feed of changes, and the ZIP files, whose contents
 * test/gateway/release/packs.test.ts proves.
 */
export async function readServedRelease(distDir: string): Promise<StoredRelease> {
  const { resources, shifts } = await readStoredRelease(distDir);
  const table = await readTable(await readCurrent(distDir));
  const closed = new Map(resources.protected);
  for (const [exam, years] of shifts)
    for (const [year, names] of years)
      for (const shift of [...names, 'all']) {
        const pack = table.find({ kind: 'pack', exam, year, shift });
        if (typeof pack === 'string' || !('entries' in pack)) throw new Error(`no ${shift}.zip`);
        const bytes = await buffer(packBytes(pack, new BodyCache(1_000_000)));
        const [path, mediaType] = [`${exam}/${year}/${shift}.zip`, 'application/zip'];
        const { etag } = pack;
        const coding = 'identity';
        closed.set(path, [{ access: 'protected', path, mediaType, coding, etag, bytes }]);
      }
  const changes = await readFile(join(distDir, changesFile));
  const feed = Object.entries({ identity: changes, gzip: gzipSync(changes) }).map(
    ([coding, bytes]): StoredBody => ({
      ...{ access: 'public', path: changesPath, mediaType: 'application/feed+json' },
      ...{ coding: coding as Coding, etag: entityTag(hash('sha256', bytes)), bytes },
    }),
  );
  const open = new Map([...resources.public, [changesPath, feed] as const]);
  return withTags({ public: open, protected: closed }, shifts);
}

async function readAll(
  { pathOf }: Release,
  access: Access,
  resources: Readonly<Record<string, StoredResource>>,
): Promise<Map<string, readonly StoredBody[]>> {
  const found = new Map<string, readonly StoredBody[]>();
  for (const [path, { mediaType, identity, br, gzip }] of Object.entries(resources)) {
    const served: StoredBody[] = [];
    for (const [coding, variant] of Object.entries({ identity, br, gzip })) {
      if (!variant) continue;
      const bytes = await readFile(pathOf(variant));
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
