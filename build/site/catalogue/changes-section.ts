import { type Html, html } from '../html.ts';
import { countOf, numberOf } from '../numbers.ts';
import type { CatalogueExam } from './catalogue.ts';
import type { Changes, ShiftChange } from './changes.ts';
import { scrolling } from './number-tables.ts';

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
