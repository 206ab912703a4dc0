import { isDeepStrictEqual } from 'node:util';
import type { CompiledExam } from '../../compile/exams.ts';
import type { Output } from '../../compile/response.ts';
import type { Bank } from '../../release/config.ts';
import type { ShiftSummary, Source } from '../../release/resources.ts';
import { count, formatNumber } from '../../report/wording.ts';
import { scriptAsset } from '../assets.ts';
import type { SearchEntry } from '../browser/search-engine.ts';
import { answerKeyLine, commaList, type Html, html, sourceLine } from '../html.ts';
import { linkHeadings, type Site, sitePage } from '../layout.ts';
import { samplesUrl, titleOf } from '../text.ts';
import {
  type CatalogueExam,
  catalogueOf,
  questionsIn,
  type SubjectTally,
  shiftsOf,
  shownDifficulties,
  totalOf,
} from './catalogue.ts';
import { type Cell, meter, numberTable } from './tables.ts';

const folder = 'docs/catalogue';
const url = `/${folder}/`;

/** The catalogue: a page about all exams, and one about each exam. */
export async function catalogueOutputs(
  site: Site,
  exams: readonly CompiledExam[],
): Promise<Output[]> {
  const catalogue = catalogueOf(exams);
  const { samples } = site.bank;
  const [changes, questions] = await Promise.all(
    ['changes', 'questions'].map((name) => scriptAsset(`${folder}/${name}.js`, name)),
  );
  return [
    sitePage(site, folder, {
      place: url,
      script: changes?.url,
      ...overviewPage(catalogue, samples.length > 0),
    }),
    ...catalogue.map((exam) =>
      sitePage(site, `${folder}/${exam.code}`, {
        below: url,
        script: questions?.url,
        ...examPage(exam, samples),
      }),
    ),
    ...[changes, questions].flatMap((script) => script?.output ?? []),
  ];
}

/** What the search finds in the catalogue: exams, topics with the number of their questions, and sample papers. */
export function catalogueEntries({ samples }: Bank, exams: readonly CompiledExam[]): SearchEntry[] {
  const ofExams = catalogueOf(exams).flatMap((exam) => {
    const lines = [`${count(questionsIn(shiftsOf([exam])), 'question')}, ${yearsOf([exam])}`];
    const ofExam = { term: exam.label, place: 'Catalogue', href: urlOf(exam), weight: 1, lines };
    const topics = exam.subjects.flatMap(({ code, name, topics }) =>
      topics.map((topic) => ({
        term: topic.name,
        place: `${exam.label}: ${name}`,
        href: topicUrl(exam, code, topic.name),
        weight: 0.8,
        lines: [count(totalOf(topic.tally), 'question')],
      })),
    );
    return [ofExam, ...topics];
  });
  const lines = ['Papers to read, answer and print.'];
  const papers = { term: 'Sample papers', place: 'Catalogue', href: samplesUrl, weight: 1, lines };
  return samples.length > 0 ? [papers, ...ofExams] : ofExams;
}

/** The address of the page of an exam. */
export function urlOf({ code }: CatalogueExam): string {
  return `${url}${code}/`;
}

/** The address of the list of a topic's questions. @param subject its code */
function topicUrl(exam: CatalogueExam, subject: string, topic: string): string {
  return `${urlOf(exam)}?topic=${encodeURIComponent(`${subject}/${topic}`)}#questions`;
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
<p class="faint">What each release added, changed or removed is in a feed:
<a href="/changes.json" type="application/feed+json">changes.json</a> (JSON Feed).</p>
<ul class="plain" id="last-changes"></ul>
</main>
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
<p class="faint">Each shift links to its year in the API, which needs no key.</p>
${shiftTable(exam, samples)}
<h2 id="topics">Topics</h2>
<p class="faint">Each topic leads to its questions.</p>
${topicTables(exam)}
${questionFinder(exam, samples)}</main>
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

/** A table for each subject, whose bars are all on the same scale. */
function topicTables(exam: CatalogueExam): Html[] {
  const { subjects } = exam;
  const max = Math.max(
    ...subjects.flatMap(({ topics }) => topics).map(({ tally }) => totalOf(tally)),
  );
  return subjects.map(({ code, name: subject, tally, topics }) => {
    const difficulties = shownDifficulties(topics);
    const all = topics.length > 1 ? [{ name: 'All topics', tally }] : [];
    const rows = [...topics, ...all].map((row): Cell[] => {
      const total = totalOf(row.tally);
      const name = all.includes(row)
        ? row.name
        : html`<a href="${topicUrl(exam, code, row.name)}"><bdi>${row.name}</bdi></a>${meter(total, max)}`;
      return [name, ...difficulties.map((difficulty) => row.tally[difficulty]), total];
    });
    const columns = ['Topic', ...difficulties.map(titleOf), 'All'];
    return html`<h3>${subject}</h3>
${numberTable(`${subject} questions by topic, table`, columns, rows)}
`;
  });
}

/** A form that lists the questions of a topic in some years, at the end of the page, where nothing moves. */
function questionFinder(
  { code, subjects, years }: CatalogueExam,
  samples: readonly string[],
): Html {
  const topics = subjects.map(({ code: subject, name, topics }) => {
    const options = topics.map((topic) => {
      return html`<option value="${subject}/${topic.name}">${topic.name}</option>\n`;
    });
    return html`<optgroup label="${name}">\n${options}</optgroup>\n`;
  });
  const yearField = (name: string, chosen: number | undefined) => {
    const options = years.map(
      ({ year }) => html`<option${year === chosen && ' selected'}>${year}</option>`,
    );
    return html`<div class="field"><label for="${name}">${titleOf(name)}</label>
<select id="${name}" autocomplete="off">${options}</select></div>`;
  };
  const indexes = years.map(
    ({ year }) => html`<a href="/${code}/${year}/questions.json">${year}</a>`,
  );
  return html`<section class="finder" aria-labelledby="questions">
<h2 id="questions">Questions</h2>
<p class="faint">Choose a topic and years. The texts require a key; the API lists the questions of a year without one:
${commaList(indexes)}.</p>
<form class="fields controls" id="find" data-exam="${code}" data-samples="${samples.join(' ')}">
<div class="field"><label for="topic">Topic</label>
<select id="topic" autocomplete="off"><option value="">Choose a topic</option>
${topics}</select></div>
${yearField('from', years[0]?.year)}
${yearField('to', years.at(-1)?.year)}
</form>
<p id="found-count" role="status"></p>
<div id="found" hidden>
<p class="hint">Their texts, with <a href="/docs/client.mjs">the client</a>:</p>
<div id="found-code"></div>
${numberTable('Questions found, table', ['Question', 'Shift', 'Number', 'Type', 'Difficulty'], [])}
</div>
</section>
`;
}

/** The shifts of all years, the newest first, with the number of questions of each subject. */
function shiftTable(
  { code, subjects, source, years }: CatalogueExam,
  samples: readonly string[],
): Html {
  const all = subjects.length > 1 ? ['All'] : [];
  const rows = years.toReversed().flatMap(({ year, shifts }) =>
    shifts.map((summary, index): Cell[] => {
      const { shift, counts, total, lastUpdated } = summary;
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
      ];
    }),
  );
  const names = subjects.map(({ name }) => name);
  return numberTable('Papers', ['Year', 'Shift', ...names, ...all, 'Last updated'], rows);

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
