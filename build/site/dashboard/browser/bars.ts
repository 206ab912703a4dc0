import type { UsageDay } from './answers.ts';

/** One bar of the chart: across in percent of its width, upwards in pixels. */
export interface Bar extends UsageDay {
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** The share of a day's place that its bar fills. */
const fill = 0.72;
/** Pixels of a bar that stands for at least one request, however many other days had. */
const least = 2;

/**
 * The bars of a month's days. Each has the place of its day in the whole month.
 *
 * @param daysOfMonth how many the month has
 * @param height of the highest bar
 */
export function barsOf(days: readonly UsageDay[], daysOfMonth: number, height: number): Bar[] {
  const most = mostOf(days);
  const place = 100 / daysOfMonth;
  return days.map(({ day, used }, index) => ({
    day,
    used,
    left: place * (index + (1 - fill) / 2),
    width: place * fill,
    height: used === 0 ? 0 : Math.max(least, (used / most) * height),
  }));
}

/** The requests of the day that had the most. */
export function mostOf(days: readonly UsageDay[]): number {
  return Math.max(0, ...days.map(({ used }) => used));
}
