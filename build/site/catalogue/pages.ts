import { isDeepStrictEqual } from 'node:util';
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/response.ts';
import type { ExamForm, ShiftSummary, Source } from '../../release/resources.ts';
import { count, formatNumber } from '../../report/wording.ts';
import { scriptAsset } from '../assets.ts';
import type { SearchEntry } from '../browser/search-engine.ts';
import { answerKeyLine, type Html, html, sourceLine } from '../html.ts';
import { linkHeadings, type Site, sitePage } from '../layout.ts';
import { samplesUrl, titleOf } from '../text.ts';
import {
  type CatalogueExam,
  catalogueOf,
  groupByName,
  type NamedTally,
  questionsIn,
  type SubjectTally,
  shiftsOf,
  shownDifficulties,
  sumOf,
  type TopicTally,
  topicId,
  totalOf,
} from './catalogue.ts';
import { type Cell, maxOf, numberTable, tallyTable } from './tables.ts';

const folder = 'docs/catalogue';
const url = `/${folder}/`;

/** The catalogue: a page about all exams, and one about each exam. */
export async function catalogueOutputs(
  site: Site,
  exams: readonly CompiledExam[],
): Promise<Output[]> {
  const catalogue = catalogueOf(exams);
  const { samples } = site.bank;
  const changes = await scriptAsset(`${folder}/changes.js`, 'changes');
  return [
    sitePage(site, folder, {
      place: url,
      script: changes.url,
      ...overviewPage(catalogue, samples.length > 0),
    }),
    ...catalogue.map((exam) =>
      sitePage(site, `${folder}/${exam.code}`, { below: url, ...examPage(exam, samples) }),
    ),
    changes.output,
  ];
}

/** What the search finds in the catalogue: exams, and topics with the number of their questions. */
export function catalogueEntries(exams: readonly CompiledExam[]): SearchEntry[] {
  return catalogueOf(exams).flatMap((exam) => {
    const lines = [`${count(questionsIn(shiftsOf([exam])), 'question')}, ${yearsOf([exam])}`];
    const ofExam = { term: exam.label, place: 'Catalogue', href: urlOf(exam), weight: 1, lines };
    const topics = exam.subjects.flatMap(({ code, name, topics }) =>
      topics.map((topic) => ({
        term: topic.name,
        place: `${exam.label}: ${name}`,
        href: `${urlOf(exam)}#${topicId(code, topic.name)}`,
        weight: 0.8,
        lines: [
          `${count(totalOf(topic.tally), 'question')} in ${count(topic.papers.length, 'paper')}`,
        ],
      })),
    );
    return [ofExam, ...topics];
  });
}

/** The address of the page of an exam. */
export function urlOf({ code }: CatalogueExam): string {
  return `${url}${code}/`;
}

/** The page about all exams. */
export function overviewPage(exams: readonly CatalogueExam[], samples = false) {
  const main = html`<main id="main">
<div class="lead">
<h1>Catalogue</h1>
<p>What the bank contains. Counts, dates and checksums are public; questions require
<a href="/dashboard/">an API key</a>${samples && html`, except for the <a href="${samplesUrl}">sample papers</a>`}.</p>
</div>
${figures(exams)}
${sourceLines(exams)}<h2 id="exams">Exams</h2>
${examTable(exams)}
<h2 id="changes">Changes</h2>
<p class="faint" id="last-changes">What each release added, changed or removed is in a feed:
<a href="/changes.json" type="application/feed+json">changes.json</a> (JSON Feed).</p>
<h2 id="questions">Questions</h2>
${questionTables(groupByName(exams.flatMap((exam) => exam.subjects)))}</main>
`;
  return {
    title: 'Catalogue',
    description: 'The contents of the question bank: exams, years, shifts, subjects and topics.',
    main: linkHeadings(main),
  };
}

/** The page about one exam. @param samples the papers that anyone can read, `EXAM/YEAR/SHIFT/SUBJECT` */
export function examPage(exam: CatalogueExam, samples: readonly string[]) {
  const main = html`<main id="main">
<div class="lead">
<p class="crumbs"><a href="/docs/catalogue/">Catalogue</a></p>
<h1><bdi>${exam.label}</bdi></h1>
</div>
${figures([exam])}
${sourceLines([exam])}<h2 id="shifts">Papers</h2>
<p class="faint">The checksum of a shift changes when any of its questions changes. Each shift links to its year in the
API, which needs no key.</p>
${shiftTable(exam, samples)}
${
  exam.form &&
  html`<h2 id="form">Form of the exam</h2>
${formTable(exam.form, exam.subjects)}
`
}<h2 id="topics">Topics</h2>
${topicTables(exam, samples)}
<h2 id="questions">Questions</h2>
${questionTables(exam.subjects)}</main>
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
        html`<a href="${urlOf(exam)}"><bdi>${exam.label}</bdi></a>`,
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
function questionTables(subjects: readonly NamedTally[]): Html {
  const all = sumOf(subjects);
  const byDifficulty = numberTable(
    'Questions by difficulty, table',
    ['Difficulty', 'Questions'],
    shownDifficulties(subjects).map((difficulty) => [titleOf(difficulty), all[difficulty]]),
  );
  return html`<div class="columns">
${subjects.length > 1 && tallyTable('Questions by subject', 'subject', subjects)}
${byDifficulty}
</div>`;
}

/** Papers of a topic that its row lists. */
const maxPapers = 12;

/** A table for each subject, all on the same scale, whose topics unfold to the papers that have them. */
function topicTables({ code, subjects }: CatalogueExam, samples: readonly string[]): Html {
  const max = maxOf(subjects.flatMap(({ topics }) => topics));
  const tables = subjects.map((subject) => {
    const papersOf = ({ name, papers }: TopicTally) => {
      const newest = papers.slice(-maxPapers).toReversed();
      const links = newest.map(({ year, shift }) => {
        const path = `${code}/${year}/${shift}/${subject.code}`;
        const address = samples.includes(path)
          ? `${samplesUrl}${path}/`
          : `/${code}/${year}/questions.json`;
        return html`<li><a href="${address}"><code>${shift}</code></a></li>\n`;
      });
      const more = papers.length - newest.length;
      return html`<details id="${topicId(subject.code, name)}"><summary>${count(papers.length, 'paper')}</summary>
<ul class="plain">
${links}${more > 0 && html`<li>and ${count(more, 'older paper')}</li>`}</ul></details>`;
    };
    return html`<h3>${subject.name}</h3>
${tallyTable(`${subject.name} questions by topic`, 'topic', subject.topics, max, ['Papers', papersOf])}
`;
  });
  return html`${tables}`;
}

/** The shifts of all years, the newest first, with the number of questions of each subject. */
function shiftTable(
  { code, subjects, source, years }: CatalogueExam,
  samples: readonly string[],
): Html {
  const all = subjects.length > 1 ? ['All'] : [];
  const rows = years.toReversed().flatMap(({ year, shifts }) =>
    shifts.map((summary, index): Cell[] => {
      const { shift, counts, total, lastUpdated, checksum } = summary;
      const path = `${code}/${year}/${shift}`;
      const isSample =
        summary.subjects.length > 1 &&
        summary.subjects.every((one) => samples.includes(`${path}/${one}`));
      const whole = isSample && html` <a href="${samplesUrl}${path}/">Complete paper</a>`;
      const link = html`<a href="/${code}/${year}"><code>${shift}</code></a>${whole}${shiftNote(summary, source)}`;
      return [
        index === 0
          ? html`<span id="y${year}">${year}</span>`
          : html`<span class="unseen">${year}</span>`,
        link,
        ...subjects.map((subject) => paperCell(path, subject, counts)),
        ...all.map(() => total),
        lastUpdated,
        html`<code>${checksum}</code>`,
      ];
    }),
  );
  const names = subjects.map(({ name }) => name);
  return numberTable(
    'Papers',
    ['Year', 'Shift', ...names, ...all, 'Last updated', 'Checksum'],
    rows,
  );

  /** The number of questions of a paper, with a mark; a link if anyone can read it. */
  function paperCell(
    shift: string,
    subject: SubjectTally,
    counts: ReadonlyMap<string, number>,
  ): Cell {
    const questions = counts.get(subject.code);
    if (questions === undefined) return html`<span class="faint">–</span>`;
    const mark = html`<span class="mark">${formatNumber(questions)}</span>`;
    const path = `${shift}/${subject.code}`;
    if (!samples.includes(path)) return mark;
    return html`${mark} <a href="${samplesUrl}${path}/">Read<span class="unseen"> ${subject.name}</span></a>`;
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
