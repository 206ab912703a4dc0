import { isDeepStrictEqual } from 'node:util';
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/response.ts';
import type { ExamForm, ShiftSummary, Source } from '../../release/resources.ts';
import { count, formatNumber } from '../../report/wording.ts';
import { publicPage, styleAsset } from '../assets.ts';
import { answerKeyLine, type Html, html, sourceLine } from '../html.ts';
import { layout, linkHeadings, type Site } from '../layout.ts';
import { samplesUrl, titleOf } from '../text.ts';
import {
  type CatalogueExam,
  type CatalogueYear,
  catalogueOf,
  groupByName,
  type NamedTally,
  questionsIn,
  type SubjectTally,
  shiftsOf,
  shownDifficulties,
  sumOf,
  totalOf,
} from './catalogue.ts';
import { barChart, difficultyLegend, maxOf, numberTable } from './charts.ts';

const folder = 'docs/catalogue';
const url = `/${folder}/`;

/** The catalogue: a page about all exams, and one about each exam. */
export async function catalogueOutputs(
  site: Site,
  exams: readonly CompiledExam[],
): Promise<Output[]> {
  const style = await styleAsset(
    `${folder}/catalogue.css`,
    new URL('catalogue.css', import.meta.url),
  );
  const catalogue = catalogueOf(exams);
  const { samples } = site.bank;
  const pages = [
    { path: folder, place: url, ...overviewPage(catalogue) },
    ...catalogue.map((exam) => {
      return { path: `${folder}/${exam.code}`, below: url, ...examPage(exam, samples) };
    }),
  ];
  return [
    ...pages.map(({ path, ...page }) =>
      publicPage(path, layout(site, { ...page, style: style.url })),
    ),
    style.output,
  ];
}

/** The address of the page of an exam. */
export function urlOf({ code }: CatalogueExam): string {
  return `${url}${code}/`;
}

/** The page about all exams. */
export function overviewPage(exams: readonly CatalogueExam[]) {
  const main = html`<main id="main">
<div class="lead">
<h1>Catalogue</h1>
<p>The contents of the question bank: counts, dates and checksums are public. Questions require
<a href="/dashboard/">an API key</a>.</p>
</div>
${figures(exams)}
${sourceLines(exams)}<h2 id="exams">Exams</h2>
${examTable(exams)}
<h2 id="questions">Questions</h2>
${questionCharts(groupByName(exams.flatMap((exam) => exam.subjects)))}</main>
`;
  return {
    title: 'Catalogue',
    description: 'The contents of the question bank: exams, years, shifts, subjects and topics.',
    main: linkHeadings(main),
  };
}

/** The page about one exam. @param samples the papers that anyone can read, `EXAM/YEAR/SHIFT/SUBJECT` */
export function examPage(exam: CatalogueExam, samples: readonly string[]) {
  const newest = exam.years.at(-1);
  const shifts = exam.years.map((year) => yearDetails(exam, year, samples, year === newest));
  const main = html`<main id="main">
<div class="lead">
<p class="crumbs"><a href="/docs/catalogue/">Catalogue</a></p>
<h1>${exam.label}</h1>
</div>
${figures([exam])}
${sourceLines([exam])}${
  exam.form &&
  html`<h2 id="form">Form of the exam</h2>
${formTable(exam.form, exam.subjects)}
`
}<h2 id="questions">Questions</h2>
${questionCharts(exam.subjects)}
<h2 id="topics">Topics</h2>
${topicCharts(exam)}
<h2 id="shifts">Shifts</h2>
<p>The checksum of a shift changes when any of its questions changes. Each shift links to its year in the API, which
needs no key.</p>
${shifts}</main>
`;
  return {
    title: `${exam.label} · Catalogue`,
    description: `The contents of the question bank for ${exam.label}.`,
    main: linkHeadings(main),
  };
}

/** The main numbers of the bank or of one exam. */
export function figures(exams: readonly CatalogueExam[]): Html {
  const shifts = shiftsOf(exams);
  return html`<dl class="figures">
${exams.length > 1 && html`<div><dt>Exams</dt><dd>${formatNumber(exams.length)}</dd></div>`}
<div><dt>Years</dt><dd>${yearsOf(exams)}</dd></div>
<div><dt>Shifts</dt><dd>${formatNumber(shifts.length)}</dd></div>
<div><dt>Questions</dt><dd>${formatNumber(questionsIn(shifts))}</dd></div>
<div><dt>Last updated</dt><dd>${lastUpdateOf(exams)}</dd></div>
</dl>
`;
}

/** The sources of these exams, each once. */
function sourceLines(exams: readonly CatalogueExam[]): Html[] {
  const sources = new Map(exams.map(({ source }) => [JSON.stringify(source), source]));
  return [...sources.values()].flatMap((source) => (source ? sourceLine(source) : []));
}

function examTable(exams: readonly CatalogueExam[]): Html {
  return numberTable(
    'Exams, table',
    ['Exam', 'Code', 'Years', 'Shifts', 'Questions', 'Last updated'],
    exams.map((exam) => {
      const shifts = shiftsOf([exam]);
      return [
        html`<a href="${urlOf(exam)}">${exam.label}</a>`,
        html`<code>${exam.code}</code>`,
        yearsOf([exam]),
        shifts.length,
        questionsIn(shifts),
        lastUpdateOf([exam]),
      ];
    }),
  );
}

function formTable(
  { duration, totalMarks, source, sections }: ExamForm,
  subjects: readonly SubjectTally[],
): Html {
  const rows = sections.map(({ name, subject, questions, attempt, marking }) => [
    name,
    subjects.find(({ code }) => code === subject)?.name ?? titleOf(subject),
    questions,
    attempt,
    marking ? attempt * marking.correct : '',
  ]);
  const table = numberTable(
    'Sections, table',
    ['Section', 'Subject', 'Questions', 'To attempt', 'Marks'],
    rows,
  );
  return html`<p>${count(duration, 'minute')}, ${count(totalMarks, 'mark')}.</p>\n${source ? sourceLine(source) : ''}${table}`;
}

/** First and last year: `2023–2025`. */
export function yearsOf(exams: readonly CatalogueExam[]): string {
  const years = exams.flatMap((exam) => exam.years.map(({ year }) => year));
  const first = Math.min(...years);
  const last = Math.max(...years);
  return first === last ? String(first) : `${first}–${last}`;
}

/** The date of the last update, `YYYY-MM-DD`. */
function lastUpdateOf(exams: readonly CatalogueExam[]): string {
  return shiftsOf(exams).reduce(
    (last, { lastUpdated }) => (lastUpdated > last ? lastUpdated : last),
    '',
  );
}

/** Questions by subject and by difficulty. */
function questionCharts(subjects: readonly NamedTally[]): Html {
  const all = sumOf(subjects);
  const byDifficulty = shownDifficulties(subjects).map((difficulty) => ({
    name: titleOf(difficulty),
    tally: { ...sumOf([]), [difficulty]: all[difficulty] },
  }));
  const data = numberTable(
    'Questions by difficulty, table',
    ['Difficulty', 'Questions'],
    byDifficulty.map(({ name, tally }) => [name, totalOf(tally)]),
  );
  const bySubject = html`<div><h3>By subject</h3>
${barChart({ title: 'Questions by subject', noun: 'subject', rows: subjects })}</div>
`;
  return html`${difficultyLegend(subjects)}
<div class="columns">
${subjects.length > 1 ? bySubject : ''}<div><h3>By difficulty</h3>
${barChart({ title: 'Questions by difficulty', noun: 'difficulty', rows: byDifficulty, data })}</div>
</div>`;
}

/** A chart for each subject, all on the same scale. */
function topicCharts({ subjects }: CatalogueExam): Html {
  const max = maxOf(subjects.flatMap(({ topics }) => topics));
  const charts = subjects.map(
    ({ name, topics }) => html`<div><h3>${name}</h3>
${barChart({ title: `${name} questions by topic`, noun: 'topic', rows: topics, max })}</div>
`,
  );
  return html`${difficultyLegend(subjects)}\n<div class="columns">\n${charts}</div>`;
}

/** The shifts of a year. The id is inside, so that a browser unfolds the year when a link leads to it. */
function yearDetails(
  { code, subjects, source }: CatalogueExam,
  { year, shifts }: CatalogueYear,
  samples: readonly string[],
  isOpen: boolean,
): Html {
  const ofYear = subjects.filter(({ code }) => shifts.some(({ counts }) => counts.has(code)));
  const all = ofYear.length > 1 ? ['All'] : [];
  const table = numberTable(
    `Shifts of ${year}`,
    ['Shift', ...ofYear.map(({ name }) => name), ...all, 'Last updated', 'Checksum'],
    shifts.map((summary) => [
      html`<a href="/${code}/${year}"><code>${summary.shift}</code></a>${shiftNote(summary, source)}${readLinks(summary.shift)}`,
      ...ofYear.map(({ code }) => summary.counts.get(code) ?? 0),
      ...all.map(() => summary.total),
      summary.lastUpdated,
      html`<code>${summary.checksum}</code>`,
    ]),
  );
  const size = `${count(shifts.length, 'shift')}, ${count(questionsIn(shifts), 'question')}`;
  return html`<details class="year"${isOpen ? html` open` : ''}>
<summary><h3>${year}</h3> <span class="faint">${size}</span></summary>
<div id="y${year}">${table}</div>
</details>
`;

  function readLinks(shift: string): Html[] {
    return ofYear.flatMap((subject) => {
      const path = `${code}/${year}/${shift}/${subject.code}`;
      return samples.includes(path)
        ? html` <a href="${samplesUrl}${path}/">Read ${subject.name}</a>`
        : [];
    });
  }
}

/** The edition, booklet and answer key of a shift, its date if the day is not known, and its source if it is its own. */
function shiftNote(shift: ShiftSummary, ofExam: Source | undefined): Html {
  const { edition, date, source, booklet, answerKey } = shift;
  const notes = [
    date && `date: ${date}`,
    edition && `edition: ${edition}`,
    booklet && `booklet: ${booklet}`,
  ].filter((note) => note !== undefined);
  const note = notes.length > 0 ? html` <span class="faint">${notes.join(', ')}</span>` : html``;
  return html`${note}${answerKey && answerKeyLine(answerKey)}${source && !isDeepStrictEqual(source, ofExam) ? sourceLine(source) : ''}`;
}
