import type { KeyCheck, VerifyKey } from '../../key-check.ts';
import { Histogram } from './histogram.ts';
import type { Metrics, Sample } from './metric.ts';

const states = [
  'valid',
  'unknown',
  'expired',
  'revoked',
  'unavailable',
] as const satisfies KeyCheck['state'][];

/** Seconds: a database on the machine, a service elsewhere, the end of its time. */
const bounds = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];

type Counts = Record<KeyCheck['state'], number>;

/**
 * Counts how checks of keys end, and how long those take that have to be asked for.
 *
 * @param metrics undefined: nothing is counted
 * @returns the same check, counted
 */
export function countChecks(verifyKey: VerifyKey, metrics: Metrics | undefined): VerifyKey {
  if (!metrics) return verifyKey;
  const kept: Counts = { valid: 0, unknown: 0, expired: 0, revoked: 0, unavailable: 0 };
  const asked: Counts = { ...kept };
  const durations = new Histogram(bounds);
  metrics.add({
    name: 'pastpaper_key_checks_total',
    help: 'Checks of keys by how they ended, and whether the answer was known or the keys were asked.',
    type: 'counter',
    read: () => [...samples('known', kept), ...samples('asked', asked)],
  });
  metrics.add({
    name: 'pastpaper_key_lookup_duration_seconds',
    help: 'Time that checks took for which the keys were asked, in the database or at the service.',
    type: 'histogram',
    read: () => durations.samples(),
  });

  async function timed(checking: Promise<KeyCheck>): Promise<KeyCheck> {
    const start = performance.now();
    const check = await checking;
    durations.count((performance.now() - start) / 1000);
    asked[check.state] += 1;
    return check;
  }

  return (token, connection) => {
    const check = verifyKey(token, connection);
    if (check instanceof Promise) return timed(check);
    kept[check.state] += 1;
    return check;
  };
}

function samples(source: string, counts: Counts): Sample[] {
  return states.map((outcome) => ({ labels: { outcome, source }, value: counts[outcome] }));
}
