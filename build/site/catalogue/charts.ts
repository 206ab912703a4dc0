import { scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import type { Difficulty } from '../../release/resources.ts';
import { type Html, html } from '../html.ts';
import { countOf, numberOf } from '../text.ts';
import { difficulties, type NamedTally, sumOf, totalOf } from './catalogue.ts';

/** A table in a scrolling region of its own, which the keyboard can reach. */
interface Table {
  /** Name of the region, unique on the page. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns aligned to the left. The first one always is. */
  readonly textColumns?: readonly string[];
  /** A cell for each column, the first being the row's heading. Numbers are formatted. */
  readonly rows: readonly (readonly Cell[])[];
}

type Cell = Html | string | number;

/** Draws a table whose columns are numbers, but for the first and the text columns. */
export function numberTable({ name, columns, textColumns = [], rows }: Table): Html {
  const alignments = columns.map((column) => (textColumns.includes(column) ? html` class="text"` : ''));
  const row = ([heading = '', ...cells]: readonly Cell[]) =>
    html`<tr><th scope="row">${heading}</th>${cells.map((cell, index) => html`<td${alignments[index + 1] ?? ''}>${typeof cell === 'number' ? numberOf(cell) : cell}</td>`)}</tr>
`;
  return scrollingRegion(
    name,
    html`<table class="numbers">
<thead><tr>${columns.map((column, index) => html`<th scope="col"${alignments[index] ?? ''}>${column}</th>`)}</tr></thead>
<tbody>
${rows.map(row)}</tbody>
</table>`,
  );
}

function scrollingRegion(name: string, content: Html): Html {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${name}">
${content}
</div>`;
}

/** A bar chart of questions, one bar per row, each divided by difficulty. */
export interface BarChart {
  /** `Questions by subject` */
  readonly title: string;
  /** What a row is, in the singular: `topic`. */
  readonly noun: string;
  readonly rows: readonly NamedTally[];
  /** The number of questions that fills the whole width, if not that of the longest row. */
  readonly max?: number;
  /** All rows, which the reader can show below the chart. */
  readonly data: Pick<Table, 'columns' | 'rows'>;
}

/** The part of a bar that stands for one difficulty, horizontally in percent of the chart's width. */
interface Segment {
  readonly difficulty: Difficulty;
  readonly count: number;
  readonly left: number;
  readonly width: number;
}

/** Rows that a chart shows. The table has the others too. */
const maxRows = 24;

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
  const bars = barsOf(shown, max);
  return html`<figure>
<ul class="chart" aria-label="Bar chart: ${title}">
${shown.map((row, index) => chartRow(row, bars[index] ?? []))}</ul>
${remainder(rows.slice(maxRows), noun)}<details><summary>Show data<span class="unseen">: ${title}</span></summary>
${numberTable({ name: `${title}, table`, ...data })}
</details>
</figure>`;
}

/** What the shades of the bars mean. */
export const difficultyLegend: Html = html`<ul class="legend" aria-label="Difficulty, from left to right in each bar">
${difficulties.map((difficulty) => html`<li class="key-${difficulty}">${difficulty}</li>\n`)}</ul>`;

/**
 * Returns the segments of each row's bar, from left to right, without those of no questions.
 *
 * @param max the number of questions that fills the whole width: at least that of the longest row
 */
export function barsOf(rows: readonly NamedTally[], max: number): Segment[][] {
  const scale = scaleLinear([0, Math.max(1, max)], [0, 100]);
  const layers = stack<NamedTally, Difficulty>()
    .keys(difficulties)
    .value(({ tally }, difficulty) => tally[difficulty])(rows);
  return rows.map((_, index) =>
    layers.flatMap((layer) => {
      const [start, end] = layer[index] ?? [0, 0];
      const [left, right] = [rounded(scale(start)), rounded(scale(end))];
      return start === end
        ? []
        : [{ difficulty: layer.key, count: end - start, left, width: rounded(right - left) }];
    }),
  );
}

/** Returns the questions of the row that has the most. */
export function maxOf(rows: readonly NamedTally[]): number {
  return rows.reduce((max, { tally }) => Math.max(max, totalOf(tally)), 0);
}

function chartRow({ name, tally }: NamedTally, segments: readonly Segment[]): Html {
  const label =
    segments.map(({ difficulty, count }) => `${numberOf(count)} ${difficulty}`).join(', ') || 'none';
  return html`<li><span class="name" dir="auto">${name}</span> <span class="total">${numberOf(totalOf(tally))}</span>
<svg width="100%" height="${barHeight}" role="img" aria-label="${label}">${segments.map(segmentMarkup)}</svg></li>
`;
}

/** A segment with its number or, where the number does not fit, with a tooltip. */
function segmentMarkup({ difficulty, count, left, width }: Segment): Html {
  const number = numberOf(count);
  const attributes = html`class="${difficulty}" x="${left}%" width="${width}%" height="${barHeight}"`;
  // On the narrowest screen, a digit takes about 3 % of the width.
  if (width < 2 + 3 * number.length)
    return html`<rect ${attributes}><title>${number} ${difficulty}</title></rect>`;
  return html`<rect ${attributes}/><text class="on-${difficulty}" x="${rounded(left + width / 2)}%" y="${baseline}">${number}</text>`;
}

function remainder(rows: readonly NamedTally[], noun: string): Html | '' {
  if (rows.length === 0) return '';
  const questions = totalOf(sumOf(rows.map(({ tally }) => tally)));
  return html`<p class="more">${countOf(rows.length, `more ${noun}`)} with ${countOf(questions, 'question')} in the table.</p>
`;
}

/** Rounds a percentage to a hundredth, which is less than a pixel of any screen. */
function rounded(percent: number): number {
  return Number(percent.toFixed(2));
}

interface HeatMap {
  /** `Questions by exam and year` */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly HeatRow[];
}

interface HeatRow {
  readonly name: Html | string;
  /** One for each column. */
  readonly counts: readonly number[];
}

/**
 * Draws a heat map as a table: each cell contains its number, and the shade only repeats it. The names of rows stay in
 * view when the table is scrolled, and screen readers announce row and column.
 */
export function heatMap({ title, columns, rows }: HeatMap): Html {
  const levels = heatLevels(Math.max(0, ...rows.map(({ counts }) => Math.max(0, ...counts))));
  const content = html`<table class="heat">
<caption class="unseen">${title}</caption>
<thead><tr><td></td>${columns.map((column) => html`<th scope="col">${column}</th>`)}<th scope="col" class="all">All</th></tr></thead>
<tbody>
${rows.map(
  ({ name, counts }) =>
    html`<tr><th scope="row">${name}</th>${counts.map((count) => heatCell(levels, count))}<td class="all">${numberOf(counts.reduce((sum, count) => sum + count, 0))}</td></tr>
`,
)}</tbody>
</table>`;
  return html`${scrollingRegion(title, content)}
<ul class="legend" aria-label="Shades, by questions">
${levels.map(
  ({ from, to, shade }) =>
    html`<li class="shade-${shade}">${from === to ? numberOf(from) : `${numberOf(from)}–${numberOf(to)}`}</li>
`,
)}</ul>`;
}

function heatCell(levels: readonly HeatLevel[], count: number): Html {
  const shade = shadeOf(levels, count);
  return shade === undefined
    ? html`<td class="none"><span class="unseen">0</span></td>`
    : html`<td class="shade-${shade}">${numberOf(count)}</td>`;
}

/** The number of shades: 1 is the lightest. A count of 0 has no shade. */
const shades = 5;

/** A range of counts, and its shade. */
interface HeatLevel {
  readonly from: number;
  readonly to: number;
  readonly shade: number;
}

/**
 * Divides the counts from 1 to `max` into at most as many levels as there are shades, which begin at round numbers.
 *
 * @param max the largest count; 0 has no levels
 */
export function heatLevels(max: number): HeatLevel[] {
  const starts = levelStarts(max);
  return starts.map((from, index) => ({
    from,
    to: (starts[index + 1] ?? max + 1) - 1,
    // Few levels use shades far apart, and the highest level always has the strongest shade.
    shade: Math.round(((index + 1) * shades) / starts.length),
  }));
}

/** Returns the shade of a count; undefined for 0. */
export function shadeOf(levels: readonly HeatLevel[], count: number): number | undefined {
  return levels.find(({ from, to }) => count >= from && count <= to)?.shade;
}

function levelStarts(max: number): number[] {
  if (max <= shades) return Array.from({ length: max }, (_, index) => index + 1);
  const scale = scaleLinear([0, max], [0, 1]);
  for (let ticks = shades; ; ticks -= 1) {
    const starts = [1, ...scale.ticks(ticks).filter((tick) => tick > 1 && tick < max)];
    if (starts.length <= shades) return starts;
  }
}
