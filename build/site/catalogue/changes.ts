import type { ShiftSummary, YearShifts } from '../../compile/resources.ts';
import { compareShifts } from '../../compile/shift.ts';

/**
 * What changed since the last release: a list that is computed from two inputs, what the last release says of
 * its years without a key, and what this one says.
 *
 * A release's id is a digest of all it holds, this list included, so the list must not turn with every build:
 *
 * - Where the two differ, the list is their difference.
 * - Where they are the same, nothing was released since: the list of the last release is carried over as it is.
 *   A build of unchanged content thus gives the release that stands already, and a build after a change of the
 *   pages alone still tells what last changed in the bank.
 * - Where there is no last release, or it has no list, there is none: a first build knows of nothing before it.
 *
 * The list names no release and no moment of its own, so that the same two inputs always give the same bytes. It
 * says nothing that is not public: which questions a shift lost or gained can be told only with a key.
 */
export interface Changes {
  /** Raised when what follows changes its form. */
  readonly format: typeof changesFormat;
  /** The bank of the last release. */
  readonly before: BankSize;
  /** The bank of this one. */
  readonly after: BankSize;
  /** By exam, newest year first, in chronological order. */
  readonly shifts: readonly ShiftChange[];
}

export const changesFormat = 1;

export interface BankSize {
  readonly shifts: number;
  readonly questions: number;
}

export type ShiftChange = {
  readonly exam: string;
  readonly year: number;
  readonly shift: string;
} & (
  | { readonly change: 'added'; readonly after: ShiftState }
  | { readonly change: 'changed'; readonly before: ShiftState; readonly after: ShiftState }
  | { readonly change: 'removed'; readonly before: ShiftState }
);

/** What anyone may know of a shift, beside its name. */
export type ShiftState = Omit<ShiftSummary, 'shift'>;

/** What a release says of its years, and what changed with it. */
export interface ReleasedBank {
  readonly years: readonly YearShifts[];
  readonly changes: Changes | undefined;
}

/**
 * @param last undefined when there is no release to compare with
 * @param years of the bank that is to be released
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

function differences(before: readonly YearShifts[], after: readonly YearShifts[]): ShiftChange[] {
  const [old, present] = [shiftsOf(before), shiftsOf(after)];
  const places = new Map([...old, ...present].map(([key, { place }]) => [key, place]));
  return [...places]
    .flatMap(([key, place]) => {
      const change = changeOf(old.get(key)?.state, present.get(key)?.state);
      return change ? [{ ...place, ...change }] : [];
    })
    .sort(inOrder);
}

type PlaceOfShift = Pick<ShiftChange, 'exam' | 'year' | 'shift'>;

function shiftsOf(years: readonly YearShifts[]) {
  return new Map(
    years.flatMap(({ exam, year, shifts }) =>
      shifts.map(({ shift, ...state }) => {
        const place: PlaceOfShift = { exam, year, shift };
        return [`${exam}/${shift}`, { place, state }] as const;
      }),
    ),
  );
}

/** The checksum covers subjects and questions; the date can change without them. */
function changeOf(before: ShiftState | undefined, after: ShiftState | undefined) {
  if (!before) return after && ({ change: 'added', after } as const);
  if (!after) return { change: 'removed', before } as const;
  const isSame = before.checksum === after.checksum && before.lastUpdated === after.lastUpdated;
  return isSame ? undefined : ({ change: 'changed', before, after } as const);
}

function inOrder(a: ShiftChange, b: ShiftChange): number {
  if (a.exam !== b.exam) return a.exam < b.exam ? -1 : 1;
  return b.year - a.year || compareShifts(a.shift, b.shift);
}

function sizeOf(years: readonly YearShifts[]): BankSize {
  const shifts = years.flatMap((year) => year.shifts);
  return { shifts: shifts.length, questions: shifts.reduce((sum, { total }) => sum + total, 0) };
}
