import { scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import type { Difficulty } from '../../release/resources.ts';
import { type Html, html } from '../html.ts';
import { countOf, numberOf } from '../numbers.ts';
import { difficulties, sumOf, type Tally, titleOf, totalOf } from './catalogue.ts';

/** What a bar stands for. */
export interface BarRow {
  readonly name: string;
  readonly tally: Tally;
}

/** The part of a bar that stands for the questions of one difficulty; across in percent of the chart's width. */
export interface Segment {
  readonly difficulty: Difficulty;
  readonly count: number;
  readonly left: number;
  readonly width: number;
}

/** Decimal places of a percentage: a hundredth of one is less than a pixel of any screen. */
const places = 2;

/**
 * The segments of each row's bar, end to end from the left; none for a difficulty without questions.
 *
 * @param most questions that fill the whole width: at least those of the longest row
 */
export function barsOf(rows: readonly BarRow[], most: number): Segment[][] {
  const across = scaleLinear([0, Math.max(1, most)], [0, 100]);
  const layers = stack<BarRow, Difficulty>()
    .keys(difficulties)
    .value(({ tally }, difficulty) => tally[difficulty])(rows);
  return rows.map((_, index) =>
    layers.flatMap((layer) => {
      const [start, end] = layer[index] ?? [0, 0];
      const [left, right] = [rounded(across(start)), rounded(across(end))];
      return start === end
        ? []
        : [{ difficulty: layer.key, count: end - start, left, width: rounded(right - left) }];
    }),
  );
}

/** The questions of the row that has the most. */
export function mostOf(rows: readonly BarRow[]): number {
  return rows.reduce((most, { tally }) => Math.max(most, totalOf(tally)), 0);
}

function rounded(percent: number): number {
  return Number(percent.toFixed(places));
}

/** A chart of questions, a bar a row. */
export interface BarChart {
  /** What is counted by what: `Questions by subject`. */
  readonly title: string;
  /** What a row is, in the singular: `topic`. */
  readonly noun: string;
  readonly rows: readonly BarRow[];
  /** Questions that fill the whole width: the same for charts side by side. */
  readonly most: number;
  /** All rows as a table. */
  readonly numbers: Html;
}

/** Rows that a chart shows, the others being left to its table: what can be taken in. */
const mostRows = 24;

/** Pixels. Across, a bar is in percent, so that one drawing fits every width. */
const barHeight = 18;
/** From the top of a bar to the feet of its numbers. */
const baseline = 13;

/**
 * The chart, and its numbers as a table to unfold. Names are text of the page, which breaks them where they are
 * too long, in whatever script they are; bars are SVG, with classes and no styles: the style sheet gives the
 * colours, of the light and of the dark scheme.
 */
export function barChart({ title, noun, rows, most, numbers }: BarChart): Html {
  const shown = rows.slice(0, mostRows);
  const bars = barsOf(shown, most);
  return html`<figure>
<ul class="chart" aria-label="Bar chart: ${title}">
${shown.map((row, index) => rowMarkup(row, bars[index] ?? []))}</ul>
${remainder(rows.slice(mostRows), noun)}<details><summary>The numbers<span class="unseen">: ${title}</span></summary>
${numbers}
</details>
</figure>`;
}

/** What the shades of all charts of a page mean. */
export const difficultyLegend: Html = html`<ul class="legend" aria-label="Difficulty, from left to right in each bar">
${difficulties.map((difficulty) => html`<li class="key-${difficulty}">${difficulty}</li>\n`)}</ul>`;

function rowMarkup({ name, tally }: BarRow, segments: readonly Segment[]): Html {
  return html`<li><span class="name" dir="auto">${name}</span> <span class="total">${numberOf(totalOf(tally))}</span>
<svg width="100%" height="${barHeight}" role="img" aria-label="${inWords(segments)}">${segments.map(segmentMarkup)}</svg></li>
`;
}

function remainder(rows: readonly BarRow[], noun: string): Html | '' {
  if (rows.length === 0) return '';
  const questions = totalOf(sumOf(rows.map(({ tally }) => tally)));
  return html`<p class="more">${countOf(rows.length, `more ${noun}`)} with ${countOf(questions, 'question')} in the table.</p>
`;
}

/** A segment with its number upon it or, where that has no room, in what a pointer shows. */
function segmentMarkup({ difficulty, count, left, width }: Segment): Html {
  const number = numberOf(count);
  const place = html`class="${difficulty}" x="${left}%" width="${width}%" height="${barHeight}"`;
  if (!hasRoom(number, width)) return html`<rect ${place}><title>${number} ${difficulty}</title></rect>`;
  const middle = Number((left + width / 2).toFixed(2));
  return html`<rect ${place}/><text class="on-${difficulty}" x="${middle}%" y="${baseline}">${number}</text>`;
}

function inWords(segments: readonly Segment[]): string {
  return segments.map(({ difficulty, count }) => `${numberOf(count)} ${difficulty}`).join(', ') || 'none';
}

/** Whether a number fits into a segment, of so many percent, where the chart is narrowest. */
function hasRoom(number: string, width: number): boolean {
  return width >= 2 + 3 * number.length;
}

/** The strongest shade of a heat map, 1 being the faintest; what there is none of has no shade. */
const strongest = 5;

/** A span of counts, and the shade that stands for it. */
export interface HeatLevel {
  readonly from: number;
  readonly to: number;
  readonly shade: number;
}

/**
 * Parts counts from 1 up into as many levels as there are shades, or fewer, that begin at round numbers.
 *
 * @param most of all counts; 0 has no levels
 */
export function heatLevels(most: number): HeatLevel[] {
  const starts = startsUpTo(most);
  return starts.map((from, index) => ({
    from,
    to: (starts[index + 1] ?? most + 1) - 1,
    // Few levels are as far apart as they can be, and the highest is always the strongest.
    shade: Math.round(((index + 1) * strongest) / starts.length),
  }));
}

/** The shade of a count; undefined of 0. */
export function shadeOf(levels: readonly HeatLevel[], count: number): number | undefined {
  return levels.find(({ from, to }) => count >= from && count <= to)?.shade;
}

function startsUpTo(most: number): number[] {
  if (most <= strongest) return Array.from({ length: most }, (_, index) => index + 1);
  const scale = scaleLinear([0, most], [0, 1]);
  for (let ticks = strongest; ; ticks -= 1) {
    const starts = [1, ...scale.ticks(ticks).filter((tick) => tick > 1 && tick < most)];
    if (starts.length <= strongest) return starts;
  }
}

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
