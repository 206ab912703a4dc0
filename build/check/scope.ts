import {
  baselinePath,
  exceptionsPath,
  type FoundContent,
  placeOf,
  type ShiftFolder,
  shiftPath,
} from '../content/find.ts';

/** Which part of the content is validated. Of the rest only the ids and texts of questions are read. */
export interface Scope {
  readonly examined: readonly ShiftFolder[];
  readonly others: readonly ShiftFolder[];
  /** Whether problems of a file itself are reported. */
  readonly concerns: (path: string) => boolean;
  /** Whether problems between a file and the rest of the bank are reported. */
  readonly concernsInBank: (path: string) => boolean;
}

/**
 * @param changed paths inside the content folder, including those of deleted files. Everything is validated if it is left
 * out, or if the exceptions changed
 */
export function scopeOf({ shifts }: FoundContent, changed?: ReadonlySet<string>): Scope {
  if (!changed || changed.has(exceptionsPath) || changed.has(baselinePath)) {
    const all = () => true;
    return { examined: shifts, others: [], concerns: all, concernsInBank: all };
  }
  const places = [...changed].map(placeOf);
  const exams = new Set(places.flatMap((place) => (place.kind === 'exam' ? [place.code] : [])));
  const touched = new Set(places.flatMap((place) => ('shift' in place ? [shiftPath(place)] : [])));
  const redrawn = new Set(places.flatMap((place) => (place.kind === 'diagram' ? [shiftPath(place)] : [])));
  const concerns = (path: string) => {
    const place = placeOf(path);
    if (changed.has(path)) return true;
    if (place.kind === 'translation') return changed.has(`${shiftPath(place)}/${place.subject}.json`);
    return place.kind === 'paper' && redrawn.has(shiftPath(place));
  };
  return {
    examined: shifts.filter((shift) => touched.has(shiftPath(shift))),
    others: shifts.filter((shift) => !touched.has(shiftPath(shift))),
    concerns,
    concernsInBank: (path) => concerns(path) || path === '' || exams.has(path.split('/')[0] ?? ''),
  };
}
