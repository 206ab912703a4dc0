import { isDeepStrictEqual } from 'node:util';
import type { CompiledExam } from '../../compile/exams.ts';
import { jsonType, type Output } from '../../compile/response.ts';
import type { ExamForm, ShiftDetails, Source } from '../../release/resources.ts';
import { count, formatNumber } from '../../report/wording.ts';
import { publicFile, publicPage, styleAsset } from '../assets.ts';
import { type Html, html, sourceLine } from '../html.ts';
import { layout, linkHeadings, type Site } from '../layout.ts';
import { fill, filledPage, readTemplate, type Values } from '../template.ts';
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
import {
  type Changes,
  changedYears,
  changesPath,
  changesSince,
  countKind,
  countsByKind,
  kinds,
  maxListed,
  type ShiftChange,
} from './changes.ts';
import { barChart, difficultyLegend, heatMap, maxOf, numberTable } from './charts.ts';
import { feedOf, feedPath, itemsWith } from './feed.ts';
import type { ReleasedBank } from './released-bank.ts';

const folder = 'docs/catalogue';
const url = `/${folder}/`;

/**
 * The catalogue: a page about all exams, one about each exam, the changes as JSON, and the feed of changes.
 *
 * @param last the years of the last release; undefined if there is none
 */
export async function catalogueOutputs(
  site: Site,
  exams: readonly CompiledExam[],
  last: ReleasedBank | undefined,
): Promise<Output[]> {
  const style = await styleAsset(
    `${folder}/catalogue.css`,
    new URL('catalogue.css', import.meta.url),
  );
  const catalogue = catalogueOf(exams);
  const years = exams.flatMap((exam) => exam.years.map(({ resource }) => resource));
  const changes = changesSince(last, years);
  const isNew = changes !== undefined && changes !== last?.changes;
  const items = isNew ? itemsWith(last?.feed ?? [], changes, exams) : (last?.feed ?? []);
  const feed = feedOf(site.bank, items);
  const { samples } = site.bank;
  const pages = [
    { path: folder, place: url, ...overviewPage(catalogue, changes) },
    ...catalogue.map((exam) => {
      return { path: `${folder}/${exam.code}`, below: url, ...examPage(exam, samples) };
    }),
  ];
  const outputs = [
    ...pages.map(({ path, ...page }) =>
      publicPage(path, layout(site, { ...page, style: style.url, feed: `/${feedPath}` })),
    ),
    publicFile(feedPath, 'application/feed+json; charset=utf-8', Buffer.from(JSON.stringify(feed))),
    style.output,
  ];
  if (changes)
    outputs.push(publicFile(changesPath, jsonType, Buffer.from(JSON.stringify(changes))));
  return outputs;
}

function pageOf(name: string, values: Values) {
  const { main, ...page } = filledPage(name, import.meta.url, values);
  return { ...page, main: linkHeadings(main) };
}

/** The address of the page of an exam. */
export function urlOf({ code }: CatalogueExam): string {
  return `${url}${code}/`;
}

/** The page about all exams. */
export function overviewPage(exams: readonly CatalogueExam[], changes: Changes | undefined) {
  return pageOf('overview.html', {
    figures: figures(exams),
    sources: sourceLines(exams),
    exams: examTable(exams),
    coverage: shiftsOf(exams).length > 1 && bankCoverage(exams),
    questions: questionCharts(groupByName(exams.flatMap((exam) => exam.subjects))),
    changes: changes && changesList(exams, changes),
    feedPath,
  });
}

/** The page about one exam. @param samples the papers that anyone can read, `EXAM/YEAR/SHIFT/SUBJECT` */
export function examPage(exam: CatalogueExam, samples: readonly string[]) {
  const newest = exam.years.at(-1);
  return pageOf('exam.html', {
    label: exam.label,
    figures: figures([exam]),
    sources: sourceLines([exam]),
    form: exam.form && formTable(exam.form, exam.subjects),
    coverage: shiftsOf([exam]).length > 1 && examCoverage(exam),
    questions: questionCharts(exam.subjects),
    topics: topicCharts(exam),
    shifts: exam.years.map((year) => yearDetails(exam, year, samples, year === newest)),
  });
}

/** The main numbers of the bank or of one exam. */
export function figures(exams: readonly CatalogueExam[]): Html {
  const shifts = shiftsOf(exams);
  return fill(readTemplate('figures.html', import.meta.url), {
    exams: exams.length > 1 && formatNumber(exams.length),
    years: yearsOf(exams),
    shifts: formatNumber(shifts.length),
    questions: formatNumber(questionsIn(shifts)),
    updated: lastUpdateOf(exams),
  });
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

function bankCoverage(exams: readonly CatalogueExam[]): Html {
  const years = [...new Set(exams.flatMap((exam) => exam.years.map(({ year }) => year)))].sort(
    (a, b) => a - b,
  );
  const rows = exams.map((exam) => ({
    name: html`<a href="${urlOf(exam)}">${exam.label}</a>`,
    counts: years.map((each) =>
      questionsIn(exam.years.find(({ year }) => year === each)?.shifts ?? []),
    ),
  }));
  return heatMap('Questions by exam and year', years, rows);
}

/** A constant, since the names of Node differ from version to version. */
const months = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
] as const;

function examCoverage({ years }: CatalogueExam): Html {
  const monthOf = (shift: string) => Number(shift.slice('YYYY-'.length, 'YYYY-MM'.length)) - 1;
  const all = years.flatMap(({ shifts }) => shifts);
  const used = [...months.keys()].filter((month) =>
    all.some(({ shift }) => monthOf(shift) === month),
  );
  const rows = years.map(({ year, shifts }) => ({
    name: html`<a href="#y${year}">${year}</a>`,
    counts: used.map((month) =>
      questionsIn(shifts.filter(({ shift }) => monthOf(shift) === month)),
    ),
  }));
  const names = used.map((month) => `${months[month]}`);
  return heatMap('Questions by year and month', names, rows);
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

/** The edition of a shift, its date if the day is not known, and its source if it is not that of the exam. */
function shiftNote({ edition, date, source }: ShiftDetails, ofExam: Source | undefined): Html {
  const notes = [date && `date: ${date}`, edition && `edition: ${edition}`].filter(
    (note) => note !== undefined,
  );
  const note = notes.length > 0 ? html` <span class="faint">${notes.join(', ')}</span>` : html``;
  return html`${note}${source && !isDeepStrictEqual(source, ofExam) ? sourceLine(source) : ''}`;
}

type LabelOf = (code: string) => string;

function changesList(exams: readonly CatalogueExam[], { before, after, shifts }: Changes): Html {
  const labelOf: LabelOf = (code) => exams.find((exam) => exam.code === code)?.label ?? code;
  return html`<p>Shifts: ${countsByKind(shifts)}. The bank had ${count(before.questions, 'question')} in
${count(before.shifts, 'shift')}, and has ${formatNumber(after.questions)} in ${formatNumber(after.shifts)}.
<a href="/${changesPath}">The list as JSON</a></p>
${shifts.length > maxListed ? yearTable(shifts, labelOf) : shiftTable(shifts, labelOf)}`;
}

function shiftTable(shifts: readonly ShiftChange[], labelOf: LabelOf): Html {
  return numberTable(
    'Changed shifts, table',
    ['Shift', 'Exam', 'Change', 'Last updated', 'Checksum', 'Questions'],
    shifts.map(({ shift, exam, change, before, after }) => [
      html`<code>${shift}</code>`,
      labelOf(exam),
      change,
      oldAndNew(before?.lastUpdated, after?.lastUpdated),
      html`<code>${oldAndNew(before?.checksum, after?.checksum)}</code>`,
      oldAndNew(before && formatNumber(before.total), after && formatNumber(after.total)),
    ]),
  );
}

/** The new value, and the old one if it differs. */
function oldAndNew(before: string | undefined, after: string | undefined): Html {
  const was = html`<span class="faint">was ${before ?? ''}</span>`;
  if (after === undefined) return was;
  return before === undefined || before === after ? html`${after}` : html`${after}, ${was}`;
}

function yearTable(shifts: readonly ShiftChange[], labelOf: LabelOf): Html {
  return numberTable(
    'Changed years, table',
    ['Exam', 'Year', ...kinds.map((kind) => `Shifts ${kind}`)],
    changedYears(shifts).map(({ exam, year, changes }) => [
      labelOf(exam),
      year,
      ...kinds.map((kind) => countKind(changes, kind)),
    ]),
  );
}
