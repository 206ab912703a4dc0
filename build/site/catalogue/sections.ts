import { type Html, html } from '../html.ts';
import { countOf, numberOf } from '../numbers.ts';
import {
  type CatalogueExam,
  type CatalogueShift,
  type CatalogueYear,
  difficulties,
  newestOf,
  questionsIn,
  type SubjectTally,
  shiftsOf,
  spanOf,
  sumOf,
  type TopicTally,
  titleOf,
} from './catalogue.ts';
import type { Changes, ShiftChange } from './changes.ts';
import {
  barChart,
  difficultyLegend,
  difficultyTable,
  heatMap,
  mostOf,
  scrolling,
  tallyTable,
} from './charts.ts';

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

type Subjects = readonly Pick<SubjectTally, 'name' | 'tally'>[];

/** Questions by subject, and by difficulty alone. */
export function questionsSection(subjects: Subjects): Html {
  return html`<section aria-labelledby="questions">
<h2 id="questions">Questions</h2>
${difficultyLegend}
<div class="charts">
<div><h3>By subject</h3>
${bySubject(subjects)}</div>
<div><h3>By difficulty</h3>
${byDifficulty(subjects)}</div>
</div>
</section>`;
}

/** Questions by topic: a chart a subject, all on one scale, so that their bars can be compared. */
export function topicsSection(subjects: readonly SubjectTally[]): Html {
  const most = Math.max(...subjects.map(({ topics }) => mostOf(topics)));
  return html`<section aria-labelledby="topics">
<h2 id="topics">Topics</h2>
${difficultyLegend}
<div class="charts">
${subjects.map(({ name, topics }) => html`<div><h3>${titleOf(name)}</h3>\n${byTopic(name, topics, most)}</div>\n`)}</div>
</section>`;
}

function bySubject(subjects: Subjects): Html {
  const title = 'Questions by subject';
  const rows = subjects.map(({ name, tally }) => ({ name: titleOf(name), tally }));
  return barChart({
    title,
    noun: 'subject',
    rows,
    most: mostOf(rows),
    numbers: tallyTable(title, 'subject', rows),
  });
}

function byDifficulty(subjects: Subjects): Html {
  const title = 'Questions by difficulty';
  const all = sumOf(subjects.map(({ tally }) => tally));
  const rows = difficulties.map((difficulty) => ({
    name: titleOf(difficulty),
    tally: { ...sumOf([]), [difficulty]: all[difficulty] },
  }));
  return barChart({
    title,
    noun: 'difficulty',
    rows,
    most: mostOf(rows),
    numbers: difficultyTable(title, all),
  });
}

function byTopic(subject: string, topics: readonly TopicTally[], most: number): Html {
  const title = `${titleOf(subject)} questions by topic`;
  return barChart({
    title,
    noun: 'topic',
    rows: topics,
    most,
    numbers: tallyTable(title, 'topic', topics),
  });
}

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
${scrolling(`Shifts of ${year}`, yearShiftTable(shifts, subjects))}
<p><a href="/${code}/${year}"><code>/${code}/${year}</code></a></p>
</details>
`;
}

function yearShiftTable(shifts: readonly CatalogueShift[], subjects: readonly string[]): Html {
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

/** Shifts that are listed one by one; more of them are counted by year, and listed in the JSON. */
const mostListed = 40;

const kinds = ['added', 'changed', 'removed'] as const;

/** What changed since the last release. @param address of the list as JSON */
export function changesSection(
  exams: readonly CatalogueExam[],
  changes: Changes | undefined,
  address: string,
): Html {
  return html`<section aria-labelledby="changes">
<h2 id="changes">Since the last release</h2>
${changes ? changesOf(changes, labelsOf(exams), address) : html`<p>There is no earlier release to compare this one with.</p>`}
</section>`;
}

type Labels = ReadonlyMap<string, string>;

function labelsOf(exams: readonly CatalogueExam[]): Labels {
  return new Map(exams.map(({ code, label }) => [code, label]));
}

function changesOf({ before, after, shifts }: Changes, labels: Labels, address: string): Html {
  const counts = kinds
    .map((kind) => [kind, shifts.filter(({ change }) => change === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${numberOf(count)} ${kind}`);
  return html`<p>Shifts: ${counts.join(', ')}. The bank had ${countOf(before.questions, 'question')} in
${countOf(before.shifts, 'shift')}, and has ${numberOf(after.questions)} in ${numberOf(after.shifts)}.
<a href="${address}">The list as JSON</a></p>
${shifts.length > mostListed ? yearTable(shifts, labels) : shiftTable(shifts, labels)}`;
}

function shiftTable(shifts: readonly ShiftChange[], labels: Labels): Html {
  return scrolling(
    'Changed shifts, table',
    html`<table class="numbers">
<thead><tr>${columns.map((column) => html`<th scope="col" class="text">${column}</th>`)}<th scope="col">Questions</th></tr></thead>
<tbody>
${shifts.map((shift) => shiftRow(shift, labels))}</tbody>
</table>`,
  );
}

const columns = ['Shift', 'Exam', 'Change', 'Last updated', 'Checksum'] as const;

function shiftRow(shift: ShiftChange, labels: Labels): Html {
  const before = 'before' in shift ? shift.before : undefined;
  const after = 'after' in shift ? shift.after : undefined;
  const texts = [
    labels.get(shift.exam) ?? shift.exam,
    shift.change,
    turned(before?.lastUpdated, after?.lastUpdated),
    html`<code>${turned(before?.checksum, after?.checksum)}</code>`,
  ];
  const questions = turned(before && numberOf(before.total), after && numberOf(after.total));
  return html`<tr><th scope="row"><code>${shift.shift}</code></th>${texts.map((text) => html`<td class="text">${text}</td>`)}<td>${questions}</td></tr>
`;
}

/** A value as it is, and as it was where that differs. */
function turned(before: string | undefined, after: string | undefined): Html {
  if (after === undefined) return was(before ?? '');
  return before === undefined || before === after ? html`${after}` : html`${after}, ${was(before)}`;
}

function was(value: string): Html {
  return html`<span class="faint">was ${value}</span>`;
}

function yearTable(shifts: readonly ShiftChange[], labels: Labels): Html {
  const years = new Map<string, ShiftChange[]>();
  for (const shift of shifts) {
    const key = `${shift.exam}/${shift.year}`;
    const ofYear = years.get(key);
    if (ofYear) ofYear.push(shift);
    else years.set(key, [shift]);
  }
  return scrolling(
    'Changed years, table',
    html`<table class="numbers">
<thead><tr><th scope="col">Exam</th><th scope="col">Year</th>${kinds.map((kind) => html`<th scope="col">Shifts ${kind}</th>`)}</tr></thead>
<tbody>
${[...years.values()].map((ofYear) => yearRow(ofYear, labels))}</tbody>
</table>`,
  );
}

function yearRow(shifts: readonly ShiftChange[], labels: Labels): Html {
  const [first] = shifts;
  if (!first) return html``;
  const counts = kinds.map((kind) => shifts.filter(({ change }) => change === kind).length);
  return html`<tr><th scope="row">${labels.get(first.exam) ?? first.exam}</th><td>${first.year}</td>${counts.map((count) => html`<td>${numberOf(count)}</td>`)}</tr>
`;
}

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
