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
 * Prints the table, and replaces the one of this version of Node in the README.
 *
 * @param stacks the gateway first, then the stacks that it is compared with, node:http before the others
 * @param kinds other responses of the gateway
 */
export async function writeTable(
  stacks: readonly MeasuredRow[],
  kinds: readonly MeasuredRow[],
  { rate, size }: Conditions,
): Promise<void> {
  const raw = stacks[1]?.perSecond ?? Number.NaN;
  const text = [
    `Node ${process.versions.node}, ${machine()}, ${client}, ${new Date().toISOString().slice(0, 10)}: a question file of ${inKilobytes(size.plain)}, sent as ${inKilobytes(size.gzip)} of gzip; latencies at ${rounded(rate)} requests a second.`,
    '',
    `|     | requests/s | of node:http | median | p99 |`,
    `| --- | ---------: | -----------: | -----: | --: |`,
    ...stacks.map(
      ({ name, perSecond, median, p99 }) =>
        `| ${name} | ${rounded(perSecond)} | ${(perSecond / raw).toFixed(2)} | ${inMilliseconds(median)} | ${inMilliseconds(p99)} |`,
    ),
    '',
    `Other responses of the gateway: ${kinds.map(({ name, perSecond }) => `${rounded(perSecond)} a second of ${name}`).join('; ')}.`,
  ].join('\n');
  console.log(`\n${text}`);
  await putIntoReadme(text);
}

async function putIntoReadme(text: string): Promise<void> {
  const readme = join(repository, 'README.md');
  const [major] = process.versions.node.split('.');
  const [from, to] = [`<!-- bench:gateway node ${major} -->`, `<!-- /bench:gateway node ${major} -->`];
  const before = await readFile(readme, 'utf8');
  const [start, end] = [before.indexOf(from), before.indexOf(to)];
  if (start === -1 || end === -1) {
    console.log(`\nThe README has no place for Node ${major}: it is the text between ${from} and ${to}.`);
    return;
  }
  const table = `${from}\n\n${text}\n\n`;
  await writeFile(readme, before.slice(0, start) + table + before.slice(end));
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
