import { type Html, html } from '../html.ts';
import { numberOf } from '../numbers.ts';
import { type CatalogueExam, mostFirst } from './catalogue.ts';
import type { Changes } from './changes.ts';
import { changesSection } from './changes-section.ts';
import { bankCoverage } from './coverage-section.ts';
import { figures } from './figures.ts';
import { scrolling } from './number-tables.ts';
import { questionsSection } from './questions-section.ts';
import { newestOf, questionsIn, shiftsOf } from './shifts.ts';
import { sumOf } from './tally.ts';
import { spanOf } from './titles.ts';

/** Addresses that the overview leads to. */
export interface Addresses {
  exam(code: string): string;
  /** The list of changes as JSON. */
  readonly changes: string;
}

/** What the bank holds, over all exams. */
export function overviewMain(
  exams: readonly CatalogueExam[],
  changes: Changes | undefined,
  addresses: Addresses,
): Html {
  return html`<main id="main" class="catalogue">
<div class="lead">
<h1>Catalogue</h1>
<p>What the question bank holds: counts, dates and checksums, for anyone. Questions need
<a href="/dashboard/">a key</a>.</p>
</div>
${figures(exams)}
<section aria-labelledby="exams">
<h2 id="exams">Exams</h2>
${scrolling('Exams, table', examTable(exams, addresses))}
</section>
${bankCoverage(exams, addresses.exam)}
${questionsSection(subjectsOf(exams))}
${changesSection(exams, changes, addresses.changes)}
</main>`;
}

function examTable(exams: readonly CatalogueExam[], addresses: Addresses): Html {
  return html`<table class="numbers">
<thead><tr><th scope="col">Exam</th><th scope="col" class="text">Code</th><th scope="col" class="text">Years</th><th scope="col">Shifts</th><th scope="col">Questions</th><th scope="col">Last updated</th></tr></thead>
<tbody>
${exams.map((exam) => examRow(exam, addresses.exam(exam.code)))}</tbody>
</table>`;
}

function examRow(exam: CatalogueExam, address: string): Html {
  const shifts = shiftsOf([exam]);
  const years = spanOf(exam.years.map(({ year }) => year));
  return html`<tr><th scope="row"><a href="${address}">${exam.label}</a></th><td class="text"><code>${exam.code}</code></td><td class="text">${years}</td><td>${numberOf(shifts.length)}</td><td>${numberOf(questionsIn(shifts))}</td><td>${newestOf(shifts)}</td></tr>
`;
}

/** Subjects of the same name counted together, those with the most questions first. */
function subjectsOf(exams: readonly CatalogueExam[]) {
  const subjects = exams.flatMap((exam) => exam.subjects);
  const names = [...new Set(subjects.map(({ name }) => name))];
  return mostFirst(
    names.map((name) => ({
      name,
      tally: sumOf(subjects.filter((subject) => subject.name === name).map(({ tally }) => tally)),
    })),
  );
}
