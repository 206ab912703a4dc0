/** A quantile of measurements, in order of size: 0.5 is the median. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Measurements from the least to the most. */
export function inOrder(measurements: Iterable<number>): number[] {
  return [...measurements].sort((one, other) => one - other);
}

/** Median, 99th and 99.9th percentile, and the most, in milliseconds. */
export function latencies(milliseconds: Iterable<number>): string {
  const sorted = inOrder(milliseconds);
  const figures = [0.5, 0.99, 0.999, 1].map((share) => quantile(sorted, share).toFixed(2));
  return `median ${figures[0]} ms, p99 ${figures[1]} ms, p99.9 ${figures[2]} ms, most ${figures[3]} ms`;
}
