import { type Html, html } from '../html.ts';
import { numberOf } from '../numbers.ts';
import type { CatalogueExam } from './catalogue.ts';
import { newestOf, questionsIn, shiftsOf } from './shifts.ts';
import { spanOf } from './titles.ts';

/** The few numbers that come first, of the whole bank or of one exam. */
export function figures(exams: readonly CatalogueExam[]): Html {
  const years = exams.flatMap((exam) => exam.years.map(({ year }) => year));
  const shifts = shiftsOf(exams);
  const rows = [
    ...(exams.length > 1 ? [['Exams', numberOf(exams.length)] as const] : []),
    ['Years', spanOf(years)],
    ['Shifts', numberOf(shifts.length)],
    ['Questions', numberOf(questionsIn(shifts))],
    ['Last updated', newestOf(shifts)],
  ] as const;
  return html`<dl class="figures">
${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}
