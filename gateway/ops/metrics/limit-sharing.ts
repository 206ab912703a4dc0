import type { SharedLimits } from '../../limits/redis/shared-limits.ts';
import type { Metrics } from './metric.ts';

/** Tells whether limits are shared with other replicas, and how often they could not be. */
export function tellSharing(
  limits: Pick<SharedLimits, 'isShared' | 'decidedAlone'>,
  metrics: Metrics | undefined,
): void {
  metrics?.add({
    name: 'pastpaper_limits_shared',
    help: 'Whether limits are decided in Redis (1), or by this replica alone because Redis is away (0).',
    type: 'gauge',
    read: () => [{ value: limits.isShared ? 1 : 0 }],
  });
  metrics?.add({
    name: 'pastpaper_limits_decided_alone_total',
    help: 'Requests that this replica has decided on by itself, because Redis was away.',
    type: 'counter',
    read: () => [{ value: limits.decidedAlone }],
  });
}
