import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareShifts } from '../../compile/exams.ts';
import type { LastRelease } from '../../publish/last-release.ts';
import { DamagedRelease, type Manifest } from '../../release/manifest.ts';
import type { ShiftSummary, YearShifts } from '../../release/resources.ts';

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

/** URL path of the list of changes, as JSON. */
export const changesPath = 'docs/catalogue/changes.json';

/**
 * Reads what the last release says of its years, for the next one to be compared with.
 *
 * @returns undefined where it cannot be read whole: half of it would tell of changes that never were
 */
export async function releasedBank({ folder, manifest }: LastRelease): Promise<ReleasedBank | undefined> {
  try {
    const years: YearShifts[] = [];
    for (const path of yearPaths(manifest))
      years.push((await readPublic(folder, manifest, path)) as YearShifts);
    const changes = manifest.public[changesPath] && (await readPublic(folder, manifest, changesPath));
    return { years, changes: isChanges(changes) ? changes : undefined };
  } catch (error) {
    // Missing, unreadable and changed are all one here: there is nothing to compare with.
    if (error instanceof DamagedRelease || (error as NodeJS.ErrnoException).syscall !== undefined)
      return undefined;
    throw error;
  }
}

function yearPaths({ shifts }: Manifest): string[] {
  return Object.entries(shifts).flatMap(([exam, years]) =>
    Object.keys(years).map((year) => `${exam}/${year}`),
  );
}

/** The JSON of a public path, if it is as it was published. */
async function readPublic(folder: string, manifest: Manifest, path: string): Promise<unknown> {
  const stored = manifest.public[path]?.identity;
  if (!stored) throw new DamagedRelease(`${path} is missing`);
  const bytes = await readFile(join(folder, stored.file));
  if (createHash('sha256').update(bytes).digest('hex') !== stored.sha256)
    throw new DamagedRelease(`${stored.file} does not match its checksum: it was changed`);
  return JSON.parse(bytes.toString());
}

/** A list of another form was written by another version of the build, and is passed over. */
function isChanges(value: unknown): value is Changes {
  return (value as Partial<Changes> | undefined)?.format === changesFormat;
}
