import { exceptionsPath, type FoundContent, placeOf, type ShiftFolder, shiftPath } from '../content/find.ts';

/** Which part of the content is validated. Of the rest only ids and stems are read. */
export interface Scope {
  readonly examined: readonly ShiftFolder[];
  readonly others: readonly ShiftFolder[];
  /** Whether what is wrong with a file by itself is told. */
  readonly concerns: (path: string) => boolean;
  /** Whether what is wrong with a file as one of the bank is told. */
  readonly concernsInBank: (path: string) => boolean;
}

/**
 * @param changed paths inside the content folder, of files that are gone too; left out, all of it is validated,
 * as it is where the exceptions changed
 */
export function scopeOf({ shifts }: FoundContent, changed?: ReadonlySet<string>): Scope {
  if (!changed || changed.has(exceptionsPath)) {
    const all = () => true;
    return { examined: shifts, others: [], concerns: all, concernsInBank: all };
  }
  const places = [...changed].map(placeOf);
  const exams = new Set(places.flatMap((place) => (place.kind === 'exam' ? [place.code] : [])));
  const touched = new Set(places.flatMap((place) => ('shift' in place ? [shiftPath(place)] : [])));
  const redrawn = new Set(places.flatMap((place) => (place.kind === 'diagram' ? [shiftPath(place)] : [])));
  const concerns = (path: string) => {
    const place = placeOf(path);
    return changed.has(path) || (place.kind === 'paper' && redrawn.has(shiftPath(place)));
  };
  return {
    examined: shifts.filter((shift) => touched.has(shiftPath(shift))),
    others: shifts.filter((shift) => !touched.has(shiftPath(shift))),
    concerns,
    concernsInBank: (path) => concerns(path) || path === '' || exams.has(path.split('/')[0] ?? ''),
  };
}
