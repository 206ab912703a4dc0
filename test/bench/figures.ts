/** A quantile of sorted measurements: 0.5 is the median. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Sorts measurements in ascending order. */
export function inOrder(measurements: Iterable<number>): number[] {
  return [...measurements].sort((one, other) => one - other);
}

/** The median, 99th and 99.9th percentile and maximum, in milliseconds. */
export function latencies(milliseconds: Iterable<number>): string {
  const sorted = inOrder(milliseconds);
  const figures = [0.5, 0.99, 0.999, 1].map((share) => quantile(sorted, share).toFixed(2));
  return `median ${figures[0]} ms, p99 ${figures[1]} ms, p99.9 ${figures[2]} ms, most ${figures[3]} ms`;
}
