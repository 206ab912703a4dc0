import { formatNumber } from '../../report/wording.ts';
import { type Html, html } from '../html.ts';
import { titleOf } from '../text.ts';
import { type NamedTally, shownDifficulties, totalOf } from './catalogue.ts';

export type Cell = Html | string | number;

/**
 * Draws a table of formatted numbers and texts. It scrolls in a region of its own, which the keyboard can reach.
 *
 * @param name of the region, unique on the page
 * @param rows a cell for each column, the first being the row's heading
 */
export function numberTable(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Html {
  const textClass = (cell: Cell | undefined) =>
    typeof cell === 'number' ? '' : html` class="text"`;
  const head = columns.map(
    (column, index) => html`<th scope="col"${textClass(rows[0]?.[index])}>${column}</th>`,
  );
  const cellOf = (cell: Cell) => (typeof cell === 'number' ? formatNumber(cell) : cell);
  const body = rows.map(([heading = '', ...cells]) => {
    const ofRow = cells.map((cell, index) => {
      return html`<td${textClass(cell)} data-name="${columns[index + 1] ?? ''}">${cellOf(cell)}</td>`;
    });
    return html`<tr><th scope="row">${heading}</th>${ofRow}</tr>\n`;
  });
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${name}">
<table class="numbers named">
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody>
</table>
</div>`;
}

/**
 * Draws a table of questions by difficulty, with a bar for the number of each row.
 *
 * @param noun what a row is, in the singular: `topic`
 * @param max the number of questions of the longest bar
 * @param more the cell of another column, and its name
 */
export function tallyTable<Tally extends NamedTally>(
  name: string,
  noun: string,
  rows: readonly Tally[],
  max = maxOf(rows),
  more?: readonly [column: string, cellOf: (row: Tally) => Cell],
): Html {
  const difficulties = shownDifficulties(rows);
  const [column, cellOf] = more ?? [];
  return numberTable(
    `${name}, table`,
    [titleOf(noun), ...difficulties.map(titleOf), 'All', ...(column ? [column] : [])],
    rows.map((row) => [
      html`<bdi>${row.name}</bdi>${meter(totalOf(row.tally), max)}`,
      ...difficulties.map((difficulty) => row.tally[difficulty]),
      totalOf(row.tally),
      ...(cellOf ? [cellOf(row)] : []),
    ]),
  );
}

/** A bar. @param max the value of the longest bar */
function meter(value: number, max: number): Html {
  const width = Number(((100 * value) / Math.max(1, max)).toFixed(1));
  return html`<svg class="meter" aria-hidden="true"><rect width="${width}%" height="100%" rx="2"/></svg>`;
}

/** Returns the questions of the row that has the most. */
export function maxOf(rows: readonly NamedTally[]): number {
  return rows.reduce((max, { tally }) => Math.max(max, totalOf(tally)), 0);
}
