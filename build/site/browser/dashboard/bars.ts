import type { UsageDay } from './api.ts';

/** A day and its bar in the usage chart: horizontally in percent of the chart's width, vertically in pixels. */
export interface Bar extends UsageDay {
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** The share of a day's slot that its bar fills. */
const barShare = 0.72;
/** Pixels of a bar that stands for at least one request. */
const minHeight = 2;

/**
 * Computes the bars of the usage chart, each in the day's slot of the whole month.
 *
 * @param days of a month up to today
 * @param daysOfMonth how many days the month has
 * @param maxHeight of the highest bar
 */
export function barsOf(days: readonly UsageDay[], daysOfMonth: number, maxHeight: number): Bar[] {
  const max = maxOf(days);
  const slot = 100 / daysOfMonth;
  return days.map(({ day, used }, index) => ({
    day,
    used,
    left: slot * (index + (1 - barShare) / 2),
    width: slot * barShare,
    height: used === 0 ? 0 : Math.max(minHeight, (used / max) * maxHeight),
  }));
}

/** Returns the most requests of a day; 0 if there is none. */
export function maxOf(days: readonly UsageDay[]): number {
  return Math.max(0, ...days.map(({ used }) => used));
}
