import { Bodies, type Body } from '../../release/bodies.ts';
import type { Variant } from '../../release/resource.ts';
import type { Metrics } from './metric.ts';

/**
 * Bodies within a bound, their hits counted.
 *
 * @param bound bytes that all kept bodies may take
 * @param metrics undefined: nothing is counted
 */
export function countedBodies(bound: number, metrics: Metrics | undefined): Bodies {
  return metrics ? new CountedBodies(bound, metrics) : new Bodies(bound);
}

class CountedBodies extends Bodies {
  readonly #counts = { hit: 0, miss: 0, streamed: 0 };

  constructor(bound: number, metrics: Metrics) {
    super(bound);
    const counts = this.#counts;
    metrics.add({
      name: 'pastpaper_body_cache_requests_total',
      help: 'Bodies that were asked for: found in memory, read from disk, or too large to be kept.',
      type: 'counter',
      read: () =>
        (['hit', 'miss', 'streamed'] as const).map((result) => ({
          labels: { result },
          value: counts[result],
        })),
    });
    metrics.add({
      name: 'pastpaper_body_cache_bytes',
      help: 'Bytes that bodies in memory take.',
      type: 'gauge',
      read: () => [{ value: this.bytes }],
    });
    metrics.add({
      name: 'pastpaper_body_cache_limit_bytes',
      help: 'Bytes that bodies in memory may take.',
      type: 'gauge',
      read: () => [{ value: bound }],
    });
  }

  override get(variant: Variant): Body | undefined {
    const body = super.get(variant);
    if (body !== undefined) this.#counts.hit += 1;
    else if (variant.size > this.largest) this.#counts.streamed += 1;
    else this.#counts.miss += 1;
    return body;
  }
}
