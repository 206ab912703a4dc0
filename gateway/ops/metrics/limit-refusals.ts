import type { FailedKeys } from '../../access/failed-keys.ts';
import type { Decision } from '../../limits/decision.ts';
import type { LimitStore } from '../../limits/store.ts';
import type { Metrics } from './metric.ts';

/**
 * Counts requests that a limit refuses.
 *
 * @param failedKeys counts those of its own limit itself
 * @param metrics undefined: nothing is counted
 * @returns the same store, counted
 */
export function countRefusals(
  store: LimitStore,
  failedKeys: Pick<FailedKeys, 'refused'>,
  metrics: Metrics | undefined,
): LimitStore {
  if (!metrics) return store;
  const refused = { rate: 0, quota: 0 };
  metrics.add({
    name: 'pastpaper_limits_hit_total',
    help: 'Requests that were refused, by the limit that was spent; where both were, by the quota; failed-keys is that of an address.',
    type: 'counter',
    read: () =>
      Object.entries({ ...refused, 'failed-keys': failedKeys.refused }).map(([limit, value]) => ({
        labels: { limit },
        value,
      })),
  });

  function count(decision: Decision): Decision {
    if (!decision.accepted) refused[decision.quota.remaining === 0 ? 'quota' : 'rate'] += 1;
    return decision;
  }

  return {
    take(account, plan) {
      const decision = store.take(account, plan);
      return decision instanceof Promise ? decision.then(count) : count(decision);
    },
    close: () => store.close(),
  };
}
