import { type Html, html } from '../html.ts';
import { countOf, numberOf } from '../numbers.ts';
import { type BarRow, barsOf, type Segment } from './bars.ts';
import { linesOf } from './lines.ts';
import { difficulties, sumOf, totalOf } from './tally.ts';

/** A chart of questions, a bar a row. */
export interface BarChart {
  /** What is counted by what: `Questions by subject`. */
  readonly title: string;
  /** What a row is, in the singular: `topic`. */
  readonly noun: string;
  /** Those with the most questions first, where the order is not given. */
  readonly rows: readonly BarRow[];
  /** Questions that fill the whole width: the same for charts side by side. */
  readonly most: number;
  /** All rows as a table. */
  readonly numbers: Html;
}

/** Rows that a chart shows, the others being left to its table: what can be taken in. */
const mostRows = 24;

/** Latin letters of a name that have room beside its total in the narrowest column. */
const nameWidth = 32;
const nameLines = 2;

/** Pixels. Across, all is in percent, so that one drawing fits every width. */
const lineHeight = 17;
const barHeight = 18;
const gap = 14;
/** From the top of a line to the feet of its letters. */
const baseline = 13;

/**
 * The chart as an SVG, and its numbers as a table to unfold. The SVG has classes and no styles: the style sheet
 * gives the colours, of the light and of the dark scheme.
 */
export function barChart({ title, noun, rows, most, numbers }: BarChart): Html {
  const shown = rows.slice(0, mostRows);
  const bars = barsOf(shown, most);
  let height = 0;
  const drawn = shown.map((row, index) => {
    const names = linesOf(row.name, nameWidth, nameLines);
    const top = height;
    height += names.length * lineHeight + 4 + barHeight + gap;
    return barMarkup(row, names, bars[index] ?? [], top);
  });
  return html`<figure>
<svg class="bars" width="100%" height="${height - gap}" role="img" aria-label="${inWords(title, rows)}">
${drawn}</svg>
${remainder(rows.slice(mostRows), noun)}<details><summary>The numbers<span class="unseen">: ${title}</span></summary>
${numbers}
</details>
</figure>`;
}

/** What the shades of all charts of a page mean. */
export const difficultyLegend: Html = html`<ul class="legend" aria-label="Difficulty, from left to right in each bar">
${difficulties.map((difficulty) => html`<li class="key-${difficulty}">${difficulty}</li>\n`)}</ul>`;

/** What the chart shows, for who does not see it. */
function inWords(title: string, rows: readonly BarRow[]): string {
  const first = rows.slice(0, 3).map(({ name, tally }) => `${name} ${numberOf(totalOf(tally))}`);
  const lead = rows.length > first.length ? `the most of ${numberOf(rows.length)} bars are ` : '';
  return `Bar chart. ${title}: ${lead}${first.join(', ')}.`;
}

function remainder(rows: readonly BarRow[], noun: string): Html | '' {
  if (rows.length === 0) return '';
  const questions = totalOf(sumOf(rows.map(({ tally }) => tally)));
  return html`<p class="more">${countOf(rows.length, `more ${noun}`)} with ${countOf(questions, 'question')} in the table.</p>
`;
}

function barMarkup(
  { name, tally }: BarRow,
  names: readonly string[],
  segments: readonly Segment[],
  top: number,
): Html {
  const barTop = top + names.length * lineHeight + 4;
  return html`${names.map(
    (line, index) => html`<text class="name" y="${top + index * lineHeight + baseline}">${line}</text>`,
  )}<text class="total" x="100%" y="${top + baseline}">${numberOf(totalOf(tally))}</text>
${segments.map((segment) => segmentMarkup(name, segment, barTop))}`;
}

function segmentMarkup(name: string, { difficulty, count, left, width }: Segment, top: number): Html {
  const number = numberOf(count);
  const middle = Number((left + width / 2).toFixed(2));
  const label = hasRoom(number, width)
    ? html`<text class="on-${difficulty}" x="${middle}%" y="${top + baseline}">${number}</text>`
    : '';
  return html`<rect class="${difficulty}" x="${left}%" y="${top}" width="${width}%" height="${barHeight}"><title>${name}: ${number} ${difficulty}</title></rect>${label}
`;
}

/** Whether a number fits into a segment, of so many percent, where the chart is narrowest. */
function hasRoom(number: string, width: number): boolean {
  return width >= 2 + 3 * number.length;
}
