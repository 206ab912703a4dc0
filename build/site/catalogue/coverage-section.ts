import { type Html, html } from '../html.ts';
import type { CatalogueExam } from './catalogue.ts';
import { heatMap } from './heat-map.ts';
import { questionsIn } from './shifts.ts';

/** Fixed here: Node's own names of months differ from version to version. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/**
 * Questions by exam and year.
 *
 * @param addressOf the page of an exam, by its code
 */
export function bankCoverage(exams: readonly CatalogueExam[], addressOf: (code: string) => string): Html {
  const years = [...new Set(exams.flatMap((exam) => exam.years.map(({ year }) => year)))].sort(
    (a, b) => b - a,
  );
  const map = heatMap({
    title: 'Questions by exam and year',
    columns: years.map(String),
    rows: exams.map((exam) => {
      const counts = new Map(exam.years.map(({ year, shifts }) => [year, questionsIn(shifts)]));
      return {
        name: html`<a href="${addressOf(exam.code)}">${exam.label}</a>`,
        counts: years.map((year) => counts.get(year) ?? 0),
      };
    }),
  });
  return coverage('Questions by exam and year.', map);
}

/** Questions of an exam by year and by the month in which they were asked. */
export function examCoverage({ years }: CatalogueExam): Html {
  const map = heatMap({
    title: 'Questions by year and month',
    columns: months,
    rows: years.map(({ year, shifts }) => ({
      name: html`<a href="#y${year}">${year}</a>`,
      counts: months.map((_, month) => questionsIn(shifts.filter(({ date }) => monthOf(date) === month))),
    })),
  });
  return coverage('Questions by year, and by the month in which they were asked.', map);
}

function coverage(sentence: string, map: Html): Html {
  return html`<section aria-labelledby="coverage">
<h2 id="coverage">Coverage</h2>
<p>${sentence}</p>
${map}
</section>`;
}

/** 0 is January. @param date `YYYY-MM-DD` */
function monthOf(date: string): number {
  return Number(date.slice('YYYY-'.length, 'YYYY-MM'.length)) - 1;
}
