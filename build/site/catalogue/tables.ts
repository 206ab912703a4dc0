import { formatNumber } from '../../report/wording.ts';
import { type Html, html } from '../html.ts';

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

/** A bar. @param max the value of the longest bar */
export function meter(value: number, max: number): Html {
  const width = Number(((100 * value) / Math.max(1, max)).toFixed(1));
  return html`<svg class="meter" aria-hidden="true"><rect width="${width}%" height="100%" rx="2"/></svg>`;
}
