/** One bar of the usage chart: horizontally in percent of the chart's width, vertically in pixels. */
export interface Bar {
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** The share of a day's slot that its bar fills. */
const barShare = 0.72;
/** Pixels of a bar that stands for at least one request. */
const minHeight = 2;

/**
 * Computes the bars of the usage chart, one for each count, in the day's slot of the whole month.
 *
 * @param counts of the days of a month up to today
 * @param daysOfMonth how many days the month has
 * @param maxHeight of the highest bar
 */
export function barsOf(counts: readonly number[], daysOfMonth: number, maxHeight: number): Bar[] {
  const max = maxOf(counts);
  const slot = 100 / daysOfMonth;
  return counts.map((count, index) => ({
    left: slot * (index + (1 - barShare) / 2),
    width: slot * barShare,
    height: count === 0 ? 0 : Math.max(minHeight, (count / max) * maxHeight),
  }));
}

/** Returns the largest count; 0 if there is none. */
export function maxOf(counts: readonly number[]): number {
  return Math.max(0, ...counts);
}
