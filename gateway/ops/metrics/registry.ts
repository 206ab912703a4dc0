import { type Metric as ClientMetric, collectDefaultMetrics, Registry } from 'prom-client';
import type { Metric, Metrics } from './metric.ts';

/** All that a scrape answers with: what the parts of the program count, and prom-client's own on process and Node. */
export class MetricRegistry implements Metrics {
  readonly #registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Media type of `text`. */
  get mediaType(): string {
    return this.#registry.contentType;
  }

  add({ name, help, type, read }: Metric): void {
    const metric = {
      name,
      // prom-client asks for it at each scrape.
      get: async () => ({
        name,
        help,
        type,
        values: Array.from(read(), ({ part = '', labels = {}, value }) => ({
          metricName: name + part,
          labels,
          value,
        })),
      }),
    };
    this.#registry.registerMetric(metric as unknown as ClientMetric);
  }

  /** In the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
