import { type Html, html, section } from '../html.ts';
import { countOf, numberOf } from '../text.ts';
import {
  type CatalogueExam,
  type CatalogueYear,
  difficulties,
  type NamedTally,
  questionsIn,
  type SubjectTally,
  sumOf,
  totalOf,
} from './catalogue.ts';
import type { Changes, ShiftChange } from './changes.ts';
import { barChart, difficultyLegend, heatMap, maxOf, numberTable, titleOf } from './charts.ts';

/** A constant, since the names of Node differ from version to version. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Questions by exam and year. @param urlOf the page of an exam, by its code */
export function bankCoverage(exams: readonly CatalogueExam[], urlOf: (code: string) => string): Html {
  const years = [...new Set(exams.flatMap((exam) => exam.years.map(({ year }) => year)))].sort(
    (a, b) => b - a,
  );
  const rows = exams.map((exam) => ({
    name: html`<a href="${urlOf(exam.code)}">${exam.label}</a>`,
    counts: years.map((each) => questionsIn(exam.years.find(({ year }) => year === each)?.shifts ?? [])),
  }));
  return coverageSection('Questions by exam and year', heatMap('Questions by exam and year', years, rows));
}

/** Questions of an exam by year and month. */
export function examCoverage({ years }: CatalogueExam): Html {
  const monthOf = (shift: string) => Number(shift.slice('YYYY-'.length, 'YYYY-MM'.length)) - 1;
  const rows = years.map(({ year, shifts }) => ({
    name: html`<a href="#y${year}">${year}</a>`,
    counts: months.map((_, month) => questionsIn(shifts.filter(({ shift }) => monthOf(shift) === month))),
  }));
  const map = heatMap('Questions by year and month', months, rows);
  return coverageSection('Questions by year and month of the exam', map);
}

function coverageSection(intro: string, map: Html): Html {
  return section('coverage', 'Coverage', html`<p>${intro}.</p>\n${map}\n`);
}

/** Questions by subject and by difficulty. */
export function questionsSection(subjects: readonly NamedTally[]): Html {
  const all = sumOf(subjects);
  const bySubject = subjects.map(({ name, tally }) => ({ name: titleOf(name), tally }));
  const byDifficulty = difficulties.map((difficulty) => ({
    name: titleOf(difficulty),
    tally: { easy: 0, medium: 0, hard: 0, [difficulty]: all[difficulty] },
  }));
  return section(
    'questions',
    'Questions',
    html`${difficultyLegend}
<div class="columns">
<div><h3>By subject</h3>
${barChart({ title: 'Questions by subject', noun: 'subject', rows: bySubject })}</div>
<div><h3>By difficulty</h3>
${barChart({
  title: 'Questions by difficulty',
  noun: 'difficulty',
  rows: byDifficulty,
  data: numberTable(
    'Questions by difficulty, table',
    ['Difficulty', 'Questions'],
    byDifficulty.map(({ name, tally }) => [name, totalOf(tally)]),
  ),
})}</div>
</div>
`,
  );
}

/** Questions by topic: a chart for each subject, all on the same scale. */
export function topicsSection(subjects: readonly SubjectTally[]): Html {
  const max = maxOf(subjects.flatMap(({ topics }) => topics));
  const charts = subjects.map(
    ({ name, topics }) => html`<div><h3>${titleOf(name)}</h3>
${barChart({ title: `${titleOf(name)} questions by topic`, noun: 'topic', rows: topics, max })}</div>
`,
  );
  return section('topics', 'Topics', html`${difficultyLegend}\n<div class="columns">\n${charts}</div>\n`);
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
  return numberTable(
    `Shifts of ${year}`,
    ['Shift', ...subjects.map(titleOf), 'All', 'Last updated', 'Checksum'],
    shifts.map(({ shift, counts, total, lastUpdated, checksum }) => [
      html`<code>${shift}</code>`,
      ...subjects.map((subject) => counts.get(subject) ?? 0),
      total,
      lastUpdated,
      html`<code>${checksum}</code>`,
    ]),
  );
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
  const labelOf = (code: string) => exams.find((exam) => exam.code === code)?.label ?? code;
  const content = changes
    ? changesContent(changes, labelOf, url)
    : html`<p>There is no earlier release to compare with.</p>\n`;
  return section('changes', 'Since the last release', content);
}

type LabelOf = (code: string) => string;

function changesContent({ before, after, shifts }: Changes, labelOf: LabelOf, url: string): Html {
  const counts = kinds.flatMap((kind) => {
    const count = countKind(shifts, kind);
    return count > 0 ? [`${numberOf(count)} ${kind}`] : [];
  });
  return html`<p>Shifts: ${counts.join(', ')}. The bank had ${countOf(before.questions, 'question')} in
${countOf(before.shifts, 'shift')}, and has ${numberOf(after.questions)} in ${numberOf(after.shifts)}.
<a href="${url}">The list as JSON</a></p>
${shifts.length > maxListed ? changedYears(shifts, labelOf) : changedShifts(shifts, labelOf)}\n`;
}

function changedShifts(shifts: readonly ShiftChange[], labelOf: LabelOf): Html {
  return numberTable(
    'Changed shifts, table',
    ['Shift', 'Exam', 'Change', 'Last updated', 'Checksum', 'Questions'],
    shifts.map(({ shift, exam, change, before, after }) => [
      html`<code>${shift}</code>`,
      labelOf(exam),
      change,
      oldAndNew(before?.lastUpdated, after?.lastUpdated),
      html`<code>${oldAndNew(before?.checksum, after?.checksum)}</code>`,
      oldAndNew(before && numberOf(before.total), after && numberOf(after.total)),
    ]),
  );
}

/** The new value, and the old one if it differs. */
function oldAndNew(before: string | undefined, after: string | undefined): Html {
  const was = html`<span class="faint">was ${before ?? ''}</span>`;
  if (after === undefined) return was;
  return before === undefined || before === after ? html`${after}` : html`${after}, ${was}`;
}

function changedYears(shifts: readonly ShiftChange[], labelOf: LabelOf): Html {
  const years = new Map<string, ShiftChange[]>();
  for (const shift of shifts) {
    const key = `${shift.exam}/${shift.year}`;
    years.set(key, [...(years.get(key) ?? []), shift]);
  }
  return numberTable(
    'Changed years, table',
    ['Exam', 'Year', ...kinds.map((kind) => `Shifts ${kind}`)],
    [...years].map(([key, ofYear]) => {
      const [exam = '', year = ''] = key.split('/');
      return [labelOf(exam), year, ...kinds.map((kind) => countKind(ofYear, kind))];
    }),
  );
}

function countKind(shifts: readonly ShiftChange[], kind: ShiftChange['change']): number {
  return shifts.filter(({ change }) => change === kind).length;
}
