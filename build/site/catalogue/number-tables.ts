import { type Html, html } from '../html.ts';
import { numberOf } from '../numbers.ts';
import type { BarRow } from './bars.ts';
import { difficulties, type Tally, totalOf } from './tally.ts';
import { titleOf } from './titles.ts';

/**
 * A table that may be wider than the window: it scrolls in a place of its own, which the keyboard reaches.
 *
 * @param name of the place, different from all others of the page
 */
export function scrolling(name: string, table: Html): Html {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${name}">
${table}
</div>`;
}

/** Rows of a chart, all of them, by difficulty. @param noun what a row is: `topic` */
export function tallyTable(title: string, noun: string, rows: readonly BarRow[]): Html {
  const columns = [titleOf(noun), ...difficulties.map(titleOf), 'All'];
  return scrolling(
    `${title}, table`,
    html`<table class="numbers">
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ({ name, tally }) =>
    html`<tr><th scope="row">${name}</th>${difficulties.map((difficulty) => numberCell(tally[difficulty]))}${numberCell(totalOf(tally))}</tr>
`,
)}</tbody>
</table>`,
  );
}

/** How many questions there are of each difficulty. */
export function difficultyTable(title: string, tally: Tally): Html {
  return scrolling(
    `${title}, table`,
    html`<table class="numbers">
<thead><tr><th scope="col">Difficulty</th><th scope="col">Questions</th></tr></thead>
<tbody>
${difficulties.map(
  (difficulty) =>
    html`<tr><th scope="row">${titleOf(difficulty)}</th>${numberCell(tally[difficulty])}</tr>
`,
)}</tbody>
</table>`,
  );
}

function numberCell(value: number): Html {
  return html`<td>${numberOf(value)}</td>`;
}
