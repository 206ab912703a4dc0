import { type Html, html, section } from '../html.ts';
import { countOf, numberOf } from '../text.ts';
import {
  type CatalogueExam,
  type CatalogueYear,
  difficulties,
  type NamedTally,
  noQuestions,
  questionsIn,
  type SubjectTally,
  sumOf,
  totalOf,
} from './catalogue.ts';
import type { Changes, ShiftChange } from './changes.ts';
import { type BarChart, barChart, difficultyLegend, heatMap, maxOf, numberTable } from './charts.ts';

/** A constant, since the names of Node differ from version to version. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Questions by exam and year. @param urlOf the page of an exam, by its code */
export function bankCoverage(exams: readonly CatalogueExam[], urlOf: (code: string) => string): Html {
  const years = [...new Set(exams.flatMap((exam) => exam.years.map(({ year }) => year)))].sort(
    (a, b) => b - a,
  );
  const map = heatMap({
    title: 'Questions by exam and year',
    columns: years.map(String),
    rows: exams.map((exam) => {
      const counts = new Map(exam.years.map(({ year, shifts }) => [year, questionsIn(shifts)]));
      return {
        name: html`<a href="${urlOf(exam.code)}">${exam.label}</a>`,
        counts: years.map((year) => counts.get(year) ?? 0),
      };
    }),
  });
  return section('coverage', 'Coverage', html`<p>Questions by exam and year.</p>\n${map}\n`);
}

/** Questions of an exam by year and month. */
export function examCoverage({ years }: CatalogueExam): Html {
  const monthOf = (date: string) => Number(date.slice('YYYY-'.length, 'YYYY-MM'.length)) - 1;
  const map = heatMap({
    title: 'Questions by year and month',
    columns: months,
    rows: years.map(({ year, shifts }) => ({
      name: html`<a href="#y${year}">${year}</a>`,
      counts: months.map((_, month) => questionsIn(shifts.filter(({ date }) => monthOf(date) === month))),
    })),
  });
  return section('coverage', 'Coverage', html`<p>Questions by year and month of the exam.</p>\n${map}\n`);
}

/** Questions by subject and by difficulty. */
export function questionsSection(subjects: readonly NamedTally[]): Html {
  const all = sumOf(subjects.map(({ tally }) => tally));
  const bySubject = subjects.map(({ name, tally }) => ({ name: titleOf(name), tally }));
  const byDifficulty = difficulties.map((difficulty) => ({
    name: titleOf(difficulty),
    tally: { ...noQuestions, [difficulty]: all[difficulty] },
  }));
  return section(
    'questions',
    'Questions',
    html`${difficultyLegend}
<div class="charts">
<div><h3>By subject</h3>
${barChart({
  title: 'Questions by subject',
  noun: 'subject',
  rows: bySubject,
  data: tallyData('subject', bySubject),
})}</div>
<div><h3>By difficulty</h3>
${barChart({
  title: 'Questions by difficulty',
  noun: 'difficulty',
  rows: byDifficulty,
  data: {
    columns: ['Difficulty', 'Questions'],
    rows: byDifficulty.map(({ name, tally }) => [name, totalOf(tally)]),
  },
})}</div>
</div>
`,
  );
}

/** Questions by topic: a chart for each subject, all on the same scale. */
export function topicsSection(subjects: readonly SubjectTally[]): Html {
  const max = Math.max(...subjects.map(({ topics }) => maxOf(topics)));
  return section(
    'topics',
    'Topics',
    html`${difficultyLegend}
<div class="charts">
${subjects.map(({ name, topics }) => {
  const title = `${titleOf(name)} questions by topic`;
  return html`<div><h3>${titleOf(name)}</h3>
${barChart({ title, noun: 'topic', rows: topics, max, data: tallyData('topic', topics) })}</div>
`;
})}</div>
`,
  );
}

/** The data of a chart, by difficulty. @param noun what a row is: `topic` */
export function tallyData(noun: string, rows: readonly NamedTally[]): BarChart['data'] {
  return {
    columns: [titleOf(noun), ...difficulties.map(titleOf), 'All'],
    rows: rows.map(({ name, tally }) => [
      name,
      ...difficulties.map((difficulty) => tally[difficulty]),
      totalOf(tally),
    ]),
  };
}

/** Every shift of an exam by year. Only the newest year is open. */
export function shiftsSection({ code, years, subjects }: CatalogueExam): Html {
  const order = subjects.map(({ name }) => name);
  return section(
    'shifts',
    'Shifts',
    html`<p>The checksum of a shift changes when any of its questions changes. The API serves this list without a key at the
address below each year.</p>
${years.map(
  (year, index) => html`<details class="year" id="y${year.year}"${index === 0 ? html` open` : ''}>
<summary><h3>${year.year}</h3> <span class="faint">${countOf(year.shifts.length, 'shift')}, ${countOf(questionsIn(year.shifts), 'question')}</span></summary>
${shiftsTable(year, order)}
<p><a href="/${code}/${year.year}"><code>/${code}/${year.year}</code></a></p>
</details>
`,
)}`,
  );
}

function shiftsTable({ year, shifts }: CatalogueYear, order: readonly string[]): Html {
  const subjects = order.filter((subject) => shifts.some(({ counts }) => counts.has(subject)));
  return numberTable({
    name: `Shifts of ${year}`,
    columns: ['Shift', ...subjects.map(titleOf), 'All', 'Last updated', 'Checksum'],
    rows: shifts.map(({ shift, counts, total, lastUpdated, checksum }) => [
      html`<code>${shift}</code>`,
      ...subjects.map((subject) => counts.get(subject) ?? 0),
      total,
      lastUpdated,
      html`<code>${checksum}</code>`,
    ]),
  });
}

/** If more shifts changed, the page counts them by year, and only the JSON lists them. */
const maxListed = 40;

const kinds = ['added', 'changed', 'removed'] as const;

/** What changed since the last release. @param url of the list as JSON */
export function changesSection(
  exams: readonly CatalogueExam[],
  changes: Changes | undefined,
  url: string,
): Html {
  const labels = new Map(exams.map(({ code, label }) => [code, label]));
  const content = changes
    ? changesContent(changes, labels, url)
    : html`<p>There is no earlier release to compare with.</p>\n`;
  return section('changes', 'Since the last release', content);
}

type Labels = ReadonlyMap<string, string>;

function changesContent({ before, after, shifts }: Changes, labels: Labels, url: string): Html {
  const counts = kinds.flatMap((kind) => {
    const count = countKind(shifts, kind);
    return count > 0 ? [`${numberOf(count)} ${kind}`] : [];
  });
  return html`<p>Shifts: ${counts.join(', ')}. The bank had ${countOf(before.questions, 'question')} in
${countOf(before.shifts, 'shift')}, and has ${numberOf(after.questions)} in ${numberOf(after.shifts)}.
<a href="${url}">The list as JSON</a></p>
${shifts.length > maxListed ? changedYears(shifts, labels) : changedShifts(shifts, labels)}\n`;
}

function changedShifts(shifts: readonly ShiftChange[], labels: Labels): Html {
  const textColumns = ['Exam', 'Change', 'Last updated', 'Checksum'];
  return numberTable({
    name: 'Changed shifts, table',
    columns: ['Shift', ...textColumns, 'Questions'],
    textColumns,
    rows: shifts.map((shift) => {
      const before = 'before' in shift ? shift.before : undefined;
      const after = 'after' in shift ? shift.after : undefined;
      return [
        html`<code>${shift.shift}</code>`,
        labels.get(shift.exam) ?? shift.exam,
        shift.change,
        oldAndNew(before?.lastUpdated, after?.lastUpdated),
        html`<code>${oldAndNew(before?.checksum, after?.checksum)}</code>`,
        oldAndNew(before && numberOf(before.total), after && numberOf(after.total)),
      ];
    }),
  });
}

/** The new value, and the old one if it differs. */
function oldAndNew(before: string | undefined, after: string | undefined): Html {
  const was = html`<span class="faint">was ${before ?? ''}</span>`;
  if (after === undefined) return was;
  return before === undefined || before === after ? html`${after}` : html`${after}, ${was}`;
}

function changedYears(shifts: readonly ShiftChange[], labels: Labels): Html {
  const years = new Map<string, ShiftChange[]>();
  for (const shift of shifts) {
    const key = `${shift.exam}/${shift.year}`;
    years.set(key, [...(years.get(key) ?? []), shift]);
  }
  return numberTable({
    name: 'Changed years, table',
    columns: ['Exam', 'Year', ...kinds.map((kind) => `Shifts ${kind}`)],
    rows: [...years].map(([key, ofYear]) => {
      const [exam = '', year = ''] = key.split('/');
      return [labels.get(exam) ?? exam, year, ...kinds.map((kind) => countKind(ofYear, kind))];
    }),
  });
}

function countKind(shifts: readonly ShiftChange[], kind: ShiftChange['change']): number {
  return shifts.filter(({ change }) => change === kind).length;
}

/** A name of the content as a heading: `general-knowledge` becomes "General knowledge". */
function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
