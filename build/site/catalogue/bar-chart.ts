import { type Html, html } from '../html.ts';
import { countOf, numberOf } from '../numbers.ts';
import { type BarRow, barsOf, type Segment } from './bars.ts';
import { difficulties, sumOf, totalOf } from './tally.ts';

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
