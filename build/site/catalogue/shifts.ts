import type { CatalogueExam, CatalogueShift } from './catalogue.ts';

/** All shifts of these exams. */
export function shiftsOf(exams: readonly CatalogueExam[]): CatalogueShift[] {
  return exams.flatMap(({ years }) => years.flatMap(({ shifts }) => shifts));
}

/** How many questions they have together. */
export function questionsIn(shifts: readonly CatalogueShift[]): number {
  return shifts.reduce((sum, { total }) => sum + total, 0);
}

/** The newest day on which one of them was updated, `YYYY-MM-DD`; empty of none. */
export function newestOf(shifts: readonly CatalogueShift[]): string {
  return shifts.reduce((newest, { lastUpdated }) => (lastUpdated > newest ? lastUpdated : newest), '');
}
