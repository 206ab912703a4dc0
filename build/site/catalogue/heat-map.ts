import { type Html, html } from '../html.ts';
import { numberOf } from '../numbers.ts';
import { type HeatLevel, heatLevels, shadeOf } from './heat-levels.ts';
import { scrolling } from './number-tables.ts';

export interface HeatMap {
  /** What is counted by what: `Questions by exam and year`. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly HeatRow[];
}

export interface HeatRow {
  readonly name: Html | string;
  /** One a column. */
  readonly counts: readonly number[];
}

/**
 * A heat map that is a table: each cell has its number, and the shade only says it again. A table keeps its row
 * names in view when it is scrolled, and is read out with the names of row and column.
 */
export function heatMap({ title, columns, rows }: HeatMap): Html {
  const levels = heatLevels(Math.max(0, ...rows.map(({ counts }) => Math.max(0, ...counts))));
  const table = html`<table class="heat">
<caption class="unseen">${title}</caption>
<thead><tr><td></td>${columns.map((column) => html`<th scope="col">${column}</th>`)}<th scope="col" class="all">All</th></tr></thead>
<tbody>
${rows.map(
  ({ name, counts }) =>
    html`<tr><th scope="row">${name}</th>${counts.map((count) => cell(levels, count))}<td class="all">${numberOf(counts.reduce((sum, count) => sum + count, 0))}</td></tr>
`,
)}</tbody>
</table>`;
  return html`${scrolling(title, table)}
${legend(levels)}`;
}

function cell(levels: readonly HeatLevel[], count: number): Html {
  const shade = shadeOf(levels, count);
  return shade === undefined
    ? html`<td class="none"><span class="unseen">0</span></td>`
    : html`<td class="shade-${shade}">${numberOf(count)}</td>`;
}

function legend(levels: readonly HeatLevel[]): Html {
  return html`<ul class="legend" aria-label="Shades, by questions">
${levels.map(
  ({ from, to, shade }) =>
    html`<li class="shade-${shade}">${from === to ? numberOf(from) : `${numberOf(from)}–${numberOf(to)}`}</li>
`,
)}</ul>`;
}
