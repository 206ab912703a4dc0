import { compareShifts } from '../../compile/exams.ts';
import { compareTexts, groupBy } from '../../content/groups.ts';
import type { ShiftDetails, ShiftSummary, YearShifts } from '../../release/resources.ts';
import { formatNumber } from '../../report/wording.ts';

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
  /** By exam, in chronological order. */
  readonly shifts: readonly ShiftChange[];
}

export const changesFormat = 1;

type BankSize = Readonly<Record<'shifts' | 'questions', number>>;

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

/** What is public about the papers of a shift. */
type ShiftState = Omit<ShiftSummary, 'shift' | 'form' | keyof ShiftDetails>;

/** @param last undefined if there is no release to compare with @param years of the bank to be released */
export function changesSince(
  last:
    | { readonly years: readonly YearShifts[]; readonly changes: Changes | undefined }
    | undefined,
  years: readonly YearShifts[],
): Changes | undefined {
  if (!last) return undefined;
  const shifts = differences(last.years, years);
  if (shifts.length === 0) return last.changes;
  return { format: changesFormat, before: sizeOf(last.years), after: sizeOf(years), shifts };
}

function differences(last: readonly YearShifts[], years: readonly YearShifts[]): ShiftChange[] {
  const before = shiftsByPath(last);
  const after = shiftsByPath(years);
  return [...new Map([...before, ...after])]
    .flatMap(([path, { exam, year, shift }]): ShiftChange[] => {
      const old = before.get(path)?.state;
      const now = after.get(path)?.state;
      if (!old) return now ? [{ exam, year, shift, change: 'added', after: now }] : [];
      if (!now) return [{ exam, year, shift, change: 'removed', before: old }];
      // The checksum covers subjects and questions; the date can change without them.
      if (old.checksum === now.checksum && old.lastUpdated === now.lastUpdated) return [];
      return [{ exam, year, shift, change: 'changed', before: old, after: now }];
    })
    .sort((a, b) => compareTexts(a.exam, b.exam) || compareShifts(a.shift, b.shift));
}

function shiftsByPath(years: readonly YearShifts[]) {
  return new Map(
    years.flatMap(({ exam, year, shifts }) =>
      shifts.map(
        ({ shift, edition, date, source, form, ...state }) =>
          [`${exam}/${shift}`, { exam, year, shift, state }] as const,
      ),
    ),
  );
}

function sizeOf(years: readonly YearShifts[]): BankSize {
  const shifts = years.flatMap((year) => year.shifts);
  return { shifts: shifts.length, questions: shifts.reduce((sum, { total }) => sum + total, 0) };
}

/** URL path of the list of changes, as JSON. */
export const changesPath = 'docs/catalogue/changes.json';

/** If more shifts changed, the page and the feed count them by year, and only the JSON lists them. */
export const maxListed = 40;

export const kinds = ['added', 'changed', 'removed'] as const;

/** The changes of each year, in the order of the list. */
export function changedYears(shifts: readonly ShiftChange[]) {
  const years = groupBy(shifts, ({ exam, year }) => `${exam} ${year}`);
  return Array.from(years, ([name, changes]) => {
    const [exam = '', year = ''] = name.split(' ');
    return { exam, year, changes };
  });
}

export function countKind(shifts: readonly ShiftChange[], kind: ShiftChange['change']): number {
  return shifts.filter(({ change }) => change === kind).length;
}

/** `3 added, 1 removed` */
export function countsByKind(shifts: readonly ShiftChange[]): string {
  return kinds
    .map((kind) => [countKind(shifts, kind), kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${formatNumber(count)} ${kind}`)
    .join(', ');
}
