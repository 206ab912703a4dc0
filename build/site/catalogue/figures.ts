import { type Html, html } from '../html.ts';
import { numberOf } from '../numbers.ts';
import type { CatalogueExam } from './catalogue.ts';
import { spanOf } from './titles.ts';

/** The few numbers that come first, of the whole bank or of one exam. */
export function figures(exams: readonly CatalogueExam[]): Html {
  const years = exams.flatMap((exam) => exam.years);
  const shifts = years.flatMap((year) => year.shifts);
  const rows = [
    ...(exams.length > 1 ? [['Exams', numberOf(exams.length)] as const] : []),
    ['Years', spanOf(years.map(({ year }) => year))],
    ['Shifts', numberOf(shifts.length)],
    ['Questions', numberOf(questionsOf(exams))],
    ['Last updated', newestOf(exams)],
  ] as const;
  return html`<dl class="figures">
${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

export function questionsOf(exams: readonly CatalogueExam[]): number {
  return shiftsOf(exams).reduce((sum, { total }) => sum + total, 0);
}

/** The newest day on which a shift was updated, `YYYY-MM-DD`. */
export function newestOf(exams: readonly CatalogueExam[]): string {
  return shiftsOf(exams).reduce(
    (newest, { lastUpdated }) => (lastUpdated > newest ? lastUpdated : newest),
    '',
  );
}

export function shiftsOf(exams: readonly CatalogueExam[]) {
  return exams.flatMap(({ years }) => years.flatMap(({ shifts }) => shifts));
}
