import { type Html, html } from '../html.ts';
import { countOf, numberOf } from '../numbers.ts';
import type { CatalogueExam, CatalogueShift, CatalogueYear } from './catalogue.ts';
import { scrolling } from './number-tables.ts';
import { questionsIn } from './shifts.ts';
import { titleOf } from './titles.ts';

/** Every shift of an exam, year by year, of which the newest is unfolded. */
export function papersSection({ code, years, subjects }: CatalogueExam): Html {
  return html`<section aria-labelledby="shifts">
<h2 id="shifts">Shifts</h2>
<p>The checksum of a shift changes with any of its questions. The API tells the same, without a key, at the
address below each year.</p>
${years.map((year, index) =>
  yearPart(
    code,
    year,
    subjects.map(({ name }) => name),
    index === 0,
  ),
)}</section>`;
}

function yearPart(
  code: string,
  { year, shifts }: CatalogueYear,
  order: readonly string[],
  isOpen: boolean,
): Html {
  const subjects = order.filter((subject) => shifts.some(({ counts }) => counts.has(subject)));
  return html`<details class="year" id="y${year}"${isOpen ? html` open` : ''}>
<summary><h3>${year}</h3> <span class="faint">${countOf(shifts.length, 'shift')}, ${countOf(questionsIn(shifts), 'question')}</span></summary>
${scrolling(`Shifts of ${year}`, shiftTable(shifts, subjects))}
<p><a href="/${code}/${year}"><code>/${code}/${year}</code></a></p>
</details>
`;
}

function shiftTable(shifts: readonly CatalogueShift[], subjects: readonly string[]): Html {
  const columns = ['Shift', ...subjects.map(titleOf), 'All', 'Last updated', 'Checksum'];
  return html`<table class="numbers">
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${shifts.map(
  ({ shift, counts, total, lastUpdated, checksum }) =>
    html`<tr><th scope="row"><code>${shift}</code></th>${subjects.map(
      (subject) => html`<td>${numberOf(counts.get(subject) ?? 0)}</td>`,
    )}<td>${numberOf(total)}</td><td>${lastUpdated}</td><td><code>${checksum}</code></td></tr>
`,
)}</tbody>
</table>`;
}
