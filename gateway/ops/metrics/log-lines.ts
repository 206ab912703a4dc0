import { type Level, levelOf } from '../../log/levels.ts';
import type { Log } from '../../log/log.ts';
import type { Metrics } from './metric.ts';

/**
 * Counts lines of the log that matter to the operator.
 *
 * @param metrics undefined: nothing is counted
 * @returns the same log, counted
 */
export function countLines(log: Log, metrics: Metrics | undefined): Log {
  if (!metrics) return log;
  const lines: Record<Level, number> = { error: 0, warn: 0, info: 0, debug: 0 };
  metrics.add({
    name: 'pastpaper_log_lines_total',
    help: 'Lines of the log that tell of trouble, by level, whether LOG_LEVEL lets them be written or not.',
    type: 'counter',
    read: () => (['error', 'warn'] as const).map((level) => ({ labels: { level }, value: lines[level] })),
  });
  return (message, error, details) => {
    lines[details?.level ?? levelOf(error)] += 1;
    log(message, error, details);
  };
}
