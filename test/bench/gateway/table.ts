import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../gateway/started-process.ts';
import { client } from './load.ts';
import { has } from './pinned.ts';

export interface MeasuredRow {
  readonly name: string;
  /** Requests per second. */
  readonly perSecond: number;
  /** The rate divided by that of node:http in the same round: median, lowest and highest. */
  readonly ofRaw: readonly [number, number, number];
  /** Milliseconds; undefined if it was not measured or could not keep up. */
  readonly median: number | undefined;
  readonly p99: number | undefined;
}

export interface Conditions {
  /** The rate of the latency measurements, in requests per second. */
  readonly rate: number;
  /** The size of the question file in bytes. */
  readonly size: { readonly plain: number; readonly gzip: number };
}

/**
 * Prints the table, and replaces the one of this version of Node in `docs/benchmarks.md`.
 *
 * @param stacks the gateway first, then the stacks that it is compared with, node:http before the others
 * @param kinds other responses of the gateway
 */
export async function writeTable(
  stacks: readonly MeasuredRow[],
  kinds: readonly MeasuredRow[],
  { rate, size }: Conditions,
): Promise<void> {
  const text = [
    `Node ${process.versions.node}, ${machine()}, ${client}, ${new Date().toISOString().slice(0, 10)}: a question file of ${inKilobytes(size.plain)}, sent as ${inKilobytes(size.gzip)} of gzip; latencies at ${rounded(rate)} requests a second.`,
    '',
    `|     | requests/s | of node:http (range) | median | p99 |`,
    `| --- | ---------: | -------------------: | -----: | --: |`,
    ...stacks.map(
      ({ name, perSecond, ofRaw: [middle, lowest, highest], median, p99 }) =>
        `| ${name} | ${rounded(perSecond)} | ${middle.toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)}) | ${inMilliseconds(median)} | ${inMilliseconds(p99)} |`,
    ),
    '',
    `Other responses of the gateway: ${kinds.map(({ name, perSecond }) => `${rounded(perSecond)} a second of ${name}`).join('; ')}.`,
  ].join('\n');
  const [major] = process.versions.node.split('.');
  await putIntoDocs(`gateway node ${major}`, text);
}

/** Prints a table, and replaces the one of this name in a page of the docs. */
export async function putIntoDocs(name: string, text: string, page = 'docs/benchmarks.md'): Promise<void> {
  console.log(`\n${text}`);
  const file = join(repository, page);
  const [from, to] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const before = await readFile(file, 'utf8');
  const [start, end] = [before.indexOf(from), before.indexOf(to)];
  if (start === -1 || end === -1) {
    console.log(`\n${page} has no place for this table: it is the text between ${from} and ${to}.`);
    return;
  }
  const table = `${from}\n\n${text}\n\n`;
  await writeFile(file, before.slice(0, start) + table + before.slice(end));
}

function machine(): string {
  const [first] = cpus();
  const pinning = has('taskset') ? 'server and client on a core each' : 'nothing pinned';
  return `${first?.model.trim()} with ${cpus().length} cores, ${pinning}`;
}

function rounded(figure: number): string {
  return Number(figure.toPrecision(3)).toLocaleString('en');
}

function inKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}

function inMilliseconds(figure: number | undefined): string {
  return figure === undefined ? '–' : `${figure.toFixed(2)} ms`;
}
