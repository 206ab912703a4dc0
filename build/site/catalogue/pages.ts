import { readFile } from 'node:fs/promises';
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/outputs.ts';
import { assetAt, publicFile, publicPage } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { layout } from '../layout.ts';
import { numberOf } from '../numbers.ts';
import {
  type CatalogueExam,
  catalogueOf,
  mostFirst,
  newestOf,
  questionsIn,
  shiftsOf,
  spanOf,
  sumOf,
} from './catalogue.ts';
import { type Changes, changesPath, changesSince, type ReleasedBank } from './changes.ts';
import { scrolling } from './charts.ts';
import {
  bankCoverage,
  changesSection,
  examCoverage,
  figures,
  papersSection,
  questionsSection,
  topicsSection,
} from './sections.ts';

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

/** What the bank holds of one exam. */
export function examMain(exam: CatalogueExam): Html {
  return html`<main id="main" class="catalogue">
<div class="lead">
<p class="above"><a href="/docs/catalogue/">Catalogue</a></p>
<h1>${exam.label}</h1>
</div>
${figures([exam])}
${examCoverage(exam)}
${questionsSection(exam.subjects)}
${topicsSection(exam.subjects)}
${papersSection(exam)}
</main>`;
}

const folder = 'docs/catalogue';
const address = `/${folder}/`;

/**
 * The catalogue: a page over all exams, one for each, and what changed as JSON.
 *
 * @param last what the last release says of its years; undefined when there is none
 * @param siteStyle address of the style that all pages share
 */
export async function catalogueOutputs(
  exams: readonly CompiledExam[],
  last: ReleasedBank | undefined,
  siteStyle: string,
): Promise<Output[]> {
  const style = assetAt(
    `${folder}/catalogue.css`,
    'text/css; charset=utf-8',
    await readFile(new URL('catalogue.css', import.meta.url)),
  );
  const styles = [siteStyle, style.url];
  const catalogue = catalogueOf(exams);
  const years = exams.flatMap((exam) => exam.years.map(({ resource }) => resource));
  const changes = changesSince(last, years);
  return [
    overviewOutput(catalogue, changes, styles),
    ...catalogue.map((exam) => examOutput(exam, styles)),
    ...(changes ? [changesOutput(changes)] : []),
    style.output,
  ];
}

function overviewOutput(
  catalogue: readonly CatalogueExam[],
  changes: Changes | undefined,
  styles: readonly string[],
): Output {
  const page = layout({
    title: 'Catalogue · Pastpaper',
    description: 'What the question bank holds: exams, years, shifts, subjects and topics.',
    styles,
    place: address,
    main: overviewMain(catalogue, changes, {
      exam: (code) => `${address}${code}/`,
      changes: `/${changesPath}`,
    }),
  });
  return publicPage(folder, page);
}

function examOutput(exam: CatalogueExam, styles: readonly string[]): Output {
  const page = layout({
    title: `${exam.label} · Catalogue · Pastpaper`,
    description: `What the question bank holds of ${exam.label}.`,
    styles,
    below: address,
    main: examMain(exam),
  });
  return publicPage(`${folder}/${exam.code}`, page);
}

function changesOutput(changes: Changes): Output {
  return publicFile(changesPath, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(changes)));
}
