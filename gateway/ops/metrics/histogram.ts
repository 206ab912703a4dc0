import type { Sample } from './metric.ts';

/** Durations counted in buckets, which costs no more than to find the right one. */
export class Histogram {
  readonly #bounds: readonly number[];
  /** How many were within each bound and beyond the one before; the last one has none. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** @param bounds in seconds, ascending; they belong to their bucket */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  /** @param seconds of one event */
  count(seconds: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** Prometheus's own form: each bucket holds those before it. */
  *samples(labels: Readonly<Record<string, string>> = {}): Generator<Sample> {
    let sum = 0;
    for (const [index, count] of this.#counts.entries()) {
      sum += count;
      yield { part: '_bucket', labels: { ...labels, le: this.#bounds[index] ?? '+Inf' }, value: sum };
    }
    yield { part: '_sum', labels, value: this.#sum };
    yield { part: '_count', labels, value: sum };
  }
}
