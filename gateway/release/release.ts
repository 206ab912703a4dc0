import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiErrorName } from '../../build/release/errors.ts';
import { currentLink, DamagedRelease, type Manifest, type Resources } from '../../build/release/manifest.ts';
import { readWholeRelease } from '../../build/release/verify.ts';
import { pathOf, type Target } from '../target.ts';
import { type Resource, toResource } from './resource.ts';

/** A release in memory: where every answer stands. The bodies stay on disk. */
export interface Release {
  readonly id: string;
  /** URL paths to try the release with: one that anyone may read, one that needs a key. */
  readonly examples: { readonly open: string; readonly closed: string };
  /** The answer to a target, or why there is none. */
  find(target: Target): Resource | ApiErrorName;
}

/**
 * Loads the current release, every file of it held against the manifest.
 *
 * @throws DamagedRelease when there is none, or a file of it is missing or changed
 */
export async function loadRelease(distDir: string): Promise<Release> {
  const link = join(distDir, currentLink);
  // Resolved once, so that a release published later cannot mix with this one.
  const folder = await realpath(link).catch(() => {
    throw new DamagedRelease(`${link} is missing`);
  });
  return releaseOf(folder, await readWholeRelease(folder));
}

function releaseOf(folder: string, { id, shifts, public: open, protected: closed }: Manifest): Release {
  const publicResources = resources(folder, open, 'public');
  const protectedResources = resources(folder, closed, 'protected');
  const exams = new Map(Object.entries(shifts).map(([exam, years]) => [exam, aliasesByYear(years)]));

  function publicOr(path: string, missing: ApiErrorName): Resource | ApiErrorName {
    return publicResources.get(path) ?? missing;
  }

  return {
    id,
    examples: examplesOf(shifts, closed),
    find(target) {
      switch (target.kind) {
        case 'root':
        case 'malformed':
          return 'malformedUrl';
        case 'invalid-year':
          return 'invalidYear';
        case 'page':
          return publicOr(target.path, 'fileNotFound');
        case 'exam':
          return publicOr(pathOf(target.exam), 'examNotFound');
        case 'year':
          return exams.has(target.exam)
            ? publicOr(pathOf(target.exam, target.year), 'yearNotFound')
            : 'examNotFound';
        case 'file':
        case 'diagram': {
          const years = exams.get(target.exam);
          if (!years) return 'examNotFound';
          const aliases = years.get(target.year);
          if (!aliases) return 'yearNotFound';
          const shift = aliases.get(target.shift);
          if (shift === undefined) return 'shiftNotFound';
          const folder = target.kind === 'diagram' ? [shift, 'diagrams'] : [shift];
          const path = pathOf(target.exam, target.year, ...folder, target.file);
          return protectedResources.get(path) ?? 'fileNotFound';
        }
      }
    },
  };
}

/** The first shift of the newest year of the last exam, by its shorthand. */
function examplesOf(shifts: Manifest['shifts'], files: Resources): Release['examples'] {
  const [exam, years] = Object.entries(shifts).at(-1) ?? [];
  const [year, aliases] = Object.entries(years ?? {}).at(-1) ?? [];
  const open = `${exam}/${year}`;
  const file = Object.keys(files).findLast(
    (path) => path.startsWith(`${open}/${aliases?.['s1']}/`) && path.endsWith('.json'),
  );
  return { open, closed: `${open}/s1/${file?.split('/').at(-1)}` };
}

/** Maps, not objects: a request for `__proto__` finds nothing. */
function aliasesByYear(years: Manifest['shifts'][string]): Map<string, Map<string, string>> {
  return new Map(Object.entries(years).map(([year, aliases]) => [year, new Map(Object.entries(aliases))]));
}

function resources(folder: string, table: Resources, access: 'public' | 'protected'): Map<string, Resource> {
  return new Map(Object.entries(table).map(([path, stored]) => [path, toResource(folder, stored, access)]));
}
