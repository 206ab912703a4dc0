/** What a scrape reads. Nothing of it is made before. */
export interface Metric {
  readonly name: string;
  /** A sentence. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Its samples as they stand. */
  read(): Iterable<Sample>;
}

export interface Sample {
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** What follows the metric's name, of a histogram: `_bucket`, `_sum` or `_count`. */
  readonly part?: string;
}

/** Where parts of the program name what can be read of them. */
export interface Metrics {
  add(metric: Metric): void;
}
