import { scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import type { Difficulty } from '../../content/content.ts';
import { difficulties, type Tally, totalOf } from './tally.ts';

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
