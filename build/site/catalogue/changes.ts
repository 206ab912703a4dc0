import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareShifts } from '../../compile/shift-names.ts';
import type { Manifest } from '../../release/manifest.ts';
import type { ShiftSummary, YearShifts } from '../../release/resources.ts';

/**
 * What changed since the last release, computed from the public resources of the two releases:
 *
 * - Where they differ, the list is their difference.
 * - Where they are equal, the list of the last release is kept, so that a build of unchanged content gives the same
 *   release (its id is a digest of everything in it), and a build after a change of the pages still shows what last
 *   changed in the bank.
 * - Where there is no last release, or it has no list, there is none.
 *
 * The list contains no release id and no time, so that the same two inputs always give the same bytes. It is public,
 * so it does not say which questions of a shift changed.
 */
export interface Changes {
  /** Incremented when the format changes. */
  readonly format: typeof changesFormat;
  /** The bank of the last release. */
  readonly before: BankSize;
  /** The bank of this release. */
  readonly after: BankSize;
  /** By exam, newest year first, in chronological order. */
  readonly shifts: readonly ShiftChange[];
}

const changesFormat = 1;

interface BankSize {
  readonly shifts: number;
  readonly questions: number;
}

export interface ShiftChange {
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** Absent if it was added. */
  readonly before?: ShiftState;
  /** Absent if it was removed. */
  readonly after?: ShiftState;
}

/** What is public about a shift, without its name. */
type ShiftState = Omit<ShiftSummary, 'shift'>;

/** The years of a release, and what changed with it. */
export interface ReleasedBank {
  readonly years: readonly YearShifts[];
  readonly changes: Changes | undefined;
}

/**
 * @param last undefined if there is no release to compare with
 * @param years of the bank to be released
 */
export function changesSince(
  last: ReleasedBank | undefined,
  years: readonly YearShifts[],
): Changes | undefined {
  if (!last) return undefined;
  const shifts = differences(last.years, years);
  if (shifts.length === 0) return last.changes;
  return { format: changesFormat, before: sizeOf(last.years), after: sizeOf(years), shifts };
}

function differences(last: readonly YearShifts[], years: readonly YearShifts[]): ShiftChange[] {
  const [before, after] = [shiftsByPath(last), shiftsByPath(years)];
  return [...new Map([...before, ...after])]
    .flatMap(([path, { exam, year, shift }]): ShiftChange[] => {
      const [old, now] = [before.get(path)?.state, after.get(path)?.state];
      if (!old) return now ? [{ exam, year, shift, change: 'added', after: now }] : [];
      if (!now) return [{ exam, year, shift, change: 'removed', before: old }];
      // The checksum covers subjects and questions; the date can change without them.
      if (old.checksum === now.checksum && old.lastUpdated === now.lastUpdated) return [];
      return [{ exam, year, shift, change: 'changed', before: old, after: now }];
    })
    .sort(compareChanges);
}

function shiftsByPath(years: readonly YearShifts[]) {
  return new Map(
    years.flatMap(({ exam, year, shifts }) =>
      shifts.map(({ shift, ...state }) => [`${exam}/${shift}`, { exam, year, shift, state }] as const),
    ),
  );
}

function compareChanges(a: ShiftChange, b: ShiftChange): number {
  if (a.exam !== b.exam) return a.exam < b.exam ? -1 : 1;
  return b.year - a.year || compareShifts(a.shift, b.shift);
}

function sizeOf(years: readonly YearShifts[]): BankSize {
  const shifts = years.flatMap((year) => year.shifts);
  return { shifts: shifts.length, questions: shifts.reduce((sum, { total }) => sum + total, 0) };
}

/** URL path of the list of changes, as JSON. */
export const changesPath = 'docs/catalogue/changes.json';

/**
 * Reads the years of a release from its public files, to compare the next release with it.
 *
 * @returns undefined if any of the years is missing, unreadable or damaged: a part would show wrong changes
 */
export async function releasedBank(release: Release): Promise<ReleasedBank | undefined> {
  const years: YearShifts[] = [];
  for (const [exam, shifts] of Object.entries(release.manifest.shifts)) {
    for (const name of Object.keys(shifts)) {
      const year = await readPublic<YearShifts>(release, `${exam}/${name}`);
      if (!year) return undefined;
      years.push(year);
    }
  }
  const changes = await readPublic<Changes>(release, changesPath);
  // A list of another format was written by another version of the build.
  return { years, changes: changes?.format === changesFormat ? changes : undefined };
}

/** A release on disk. */
interface Release {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Reads the JSON of a public path. @returns undefined if it is not what was published */
async function readPublic<Resource>(
  { folder, manifest }: Release,
  path: string,
): Promise<Resource | undefined> {
  const stored = manifest.public[path]?.identity;
  const bytes = stored && (await readFile(join(folder, stored.file)).catch(() => undefined));
  return bytes && hash('sha256', bytes) === stored.sha256 ? JSON.parse(bytes.toString()) : undefined;
}
