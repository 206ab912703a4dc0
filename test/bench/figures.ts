/** Statistics of measurements, and how they are printed. */
import { cpus, loadavg } from 'node:os';

/** A quantile of measurements: 0.5 is the median. */
export function quantile(measurements: readonly number[], share: number): number {
  const sorted = measurements.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(measurements: readonly number[]): number {
  return quantile(measurements, 0.5);
}

export function sum(figures: Iterable<number>): number {
  return [...figures].reduce((total, each) => total + each, 0);
}

/** The lowest and highest measurement. */
export function rangeOf(measurements: readonly number[], digits = 2, between = ' to '): string {
  return [0, 1].map((share) => quantile(measurements, share).toFixed(digits)).join(between);
}

/** Three significant digits. */
export function count(figure: number): string {
  return Number(figure.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 3 });
}

export function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(2)} ms`;
}

export function seconds(figure = Number.NaN): string {
  return `${figure.toFixed(2)} s`;
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}

/** Bytes in the decimal unit that fits. */
export function bytesOf(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)));
  return `${count(bytes / 1000 ** power)} ${units[power]}`;
}

/** A Markdown table, whose first column is text and whose other columns are figures. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map(line).join('\n');
}

/** Where and when a benchmark runs. */
export function conditions(): string {
  const load = loadavg().map((average) => average.toFixed(1));
  const machine = `${cpus()[0]?.model.trim()} with ${cpus().length} cores, load ${load.join(' ')}`;
  return `Node ${process.versions.node}, ${machine}, ${new Date().toISOString().slice(0, 10)}`;
}
