import { scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import type { ServedQuestion } from '../../release/resources.ts';
import { count, formatNumber } from '../../report/wording.ts';
import { type Html, html } from '../html.ts';
import { titleOf } from '../text.ts';
import { difficulties, type NamedTally, shownDifficulties, sumOf, totalOf } from './catalogue.ts';

type Cell = Html | string | number;

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

/** A bar chart of questions, one bar per row, each divided by difficulty. */
interface BarChart {
  /** `Questions by subject` */
  readonly title: string;
  /** What a row is, in the singular: `topic`. */
  readonly noun: string;
  readonly rows: readonly NamedTally[];
  /** The number of questions that fills the whole width, if not that of the longest row. */
  readonly max?: number;
  /** All rows, which the reader can show below the chart, if not the counts by difficulty. */
  readonly data?: Html;
}

/** Rows that a chart shows. The table has the others too. */
const maxRows = 24;

/** The least number of questions that fills the whole width: a bar of one question is short. */
const leastMax = 5;

/** Pixels. Widths are in percent, so that one drawing fits every screen. */
const barHeight = 18;
/** Pixels from the top of a bar to the baseline of its numbers. */
const baseline = 13;

/**
 * Draws a bar chart with its data as a table. Names are text of the page, so that long ones wrap. Bars are SVG with
 * classes, which the style sheet colours for light and dark.
 */
export function barChart({ title, noun, rows, max = maxOf(rows), data }: BarChart): Html {
  const shown = rows.slice(0, maxRows);
  const others = rows.slice(maxRows);
  const bars = barsOf(shown, Math.max(leastMax, max));
  const shownColumns = shownDifficulties(rows);
  const columns = [titleOf(noun), ...shownColumns.map(titleOf), 'All'];
  const counts = rows.map(({ name, tally }) => [
    name,
    ...shownColumns.map((difficulty) => tally[difficulty]),
    totalOf(tally),
  ]);
  const inTable = count(totalOf(sumOf(others)), 'question');
  return html`<figure>
<ul class="chart" aria-label="Bar chart: ${title}">
${shown.map((row, index) => chartRow(row, bars[index] ?? []))}</ul>
${others.length > 0 && html`<p class="hint">${count(others.length, `more ${noun}`)} with ${inTable} in the table.</p>`}
<details><summary>Show data<span class="unseen">: ${title}</span></summary>
${data ?? numberTable(`${title}, table`, columns, counts)}
</details>
</figure>`;
}

/** What the shades of the bars of these questions mean. */
export function difficultyLegend(tallies: readonly NamedTally[]): Html {
  return html`<ul class="legend" aria-label="Difficulty, from left to right in each bar">
${shownDifficulties(tallies).map((difficulty) => html`<li class="key-${difficulty}">${difficulty}</li>\n`)}</ul>`;
}

/** The part of a bar that stands for one difficulty, horizontally in percent of the chart's width. */
interface Segment {
  readonly difficulty: ServedQuestion['difficulty'];
  readonly count: number;
  readonly left: number;
  readonly width: number;
}

/**
 * Returns the segments of each row's bar, from left to right, without those of no questions.
 *
 * @param max the number of questions that fills the whole width: at least that of the longest row
 */
export function barsOf(rows: readonly NamedTally[], max: number): Segment[][] {
  const scale = scaleLinear([0, Math.max(1, max)], [0, 100]);
  const layers = stack<NamedTally, ServedQuestion['difficulty']>()
    .keys(difficulties)
    .value(({ tally }, difficulty) => tally[difficulty])(rows);
  return rows.map((_, index) =>
    layers.flatMap((layer) => {
      const [start, end] = layer[index] ?? [0, 0];
      const left = rounded(scale(start));
      const width = rounded(rounded(scale(end)) - left);
      return start === end ? [] : [{ difficulty: layer.key, count: end - start, left, width }];
    }),
  );
}

/** Returns the questions of the row that has the most. */
export function maxOf(rows: readonly NamedTally[]): number {
  return rows.reduce((max, { tally }) => Math.max(max, totalOf(tally)), 0);
}

function chartRow({ name, tally }: NamedTally, segments: readonly Segment[]): Html {
  const label =
    segments.map(({ difficulty, count }) => `${formatNumber(count)} ${difficulty}`).join(', ') ||
    'none';
  const total = formatNumber(totalOf(tally));
  return html`<li><span class="name" dir="auto">${name}</span> <span class="total">${total}</span>
<svg width="100%" height="${barHeight}" role="img" aria-label="${label}">${segments.map(segmentMarkup)}</svg></li>
`;
}

/** A segment with its number or, where the number does not fit, with a tooltip. */
function segmentMarkup({ difficulty, count, left, width }: Segment): Html {
  const number = formatNumber(count);
  const attributes = html`class="${difficulty}" x="${left}%" width="${width}%" height="${barHeight}"`;
  // On the narrowest screen, a digit takes about 3 % of the width.
  if (width < 2 + 3 * number.length)
    return html`<rect ${attributes}><title>${number} ${difficulty}</title></rect>`;
  const middle = rounded(left + width / 2);
  return html`<rect ${attributes}/><text class="on-${difficulty}" x="${middle}%" y="${baseline}">${number}</text>`;
}

/** Rounds a percentage to a hundredth, which is less than a pixel of any screen. */
function rounded(percent: number): number {
  return Number(percent.toFixed(2));
}
