/**
 * Measures throughput and latencies of the gateway and of alternatives: the same question file, sent as gzip to clients
 * with a key, by one core. Each is measured in every round, so that other load on the machine affects all of them. Writes
 * the table of docs/benchmarks.md.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inOrder, quantile } from '../figures.ts';
import type { Latencies } from './fixed-rate.ts';
import { questionPath, writeQuestions } from './generated-papers.ts';
import { latencies, type Target, throughput } from './load.ts';
import { stop } from './pinned.ts';
import { startBenchGateway } from './running-bench-gateway.ts';
import { startStacks } from './stacks.ts';
import { type MeasuredRow, writeTable } from './table.ts';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 5);
/** The 99th percentile depends on few requests, so more rounds are needed. */
const latencyRounds = rounds * 3;
/** Seconds of warm-up. */
const warmUp = 4;

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const cleanups: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })];
try {
  await measure();
} finally {
  for (const finish of cleanups.reverse()) await finish();
}

interface Candidate {
  readonly name: string;
  readonly target: Target;
  readonly rates: number[];
  readonly latencies: (Latencies | undefined)[];
}

async function measure(): Promise<void> {
  const size = await writeQuestions(folder);
  const gateway = await startBenchGateway(folder, join(folder, 'dist'));
  cleanups.push(() => stop(gateway.process));
  const setting = { folder, files: join(folder, 'files'), key: gateway.roomyKey, node: [process.execPath] };
  const stacks = await startStacks(setting);
  for (const child of stacks.flatMap(({ processes }) => processes)) cleanups.push(() => stop(child));

  function candidate(
    name: string,
    origin: string,
    status = 200,
    more: Record<string, string> = {},
  ): Candidate {
    const headers = { 'Accept-Encoding': 'gzip', Authorization: `Bearer ${gateway.roomyKey}`, ...more };
    return { name, target: { url: `${origin}/${questionPath}`, headers, status }, rates: [], latencies: [] };
  }

  const own = candidate('this gateway', gateway.origin);
  const etag = await etagOf(own.target);
  const kinds = [
    candidate('304, to a client that has it', gateway.origin, 304, { 'If-None-Match': etag }),
    candidate('401, without a well-formed key', gateway.origin, 401, { Authorization: 'Basic eDp5' }),
    candidate('403, with a key that does not exist', gateway.origin, 403, {
      Authorization: 'Bearer unknown',
    }),
    candidate('429, to a client too fast', gateway.origin, 429, {
      Authorization: `Bearer ${gateway.tightKey}`,
    }),
  ];
  const all = [own, ...stacks.map(({ name, origin }) => candidate(name, origin)), ...kinds];
  for (const { target } of all) await throughput(target, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index] of all.entries()) {
      const next = all[(index + round) % all.length];
      next?.rates.push(await throughput(next.target, seconds));
    }
    console.log(
      `round ${round + 1} of ${rounds}: ${all.map(({ name, rates }) => `${name} ${rates.at(-1)?.toFixed(0)}`).join('; ')}`,
    );
  }
  const rate = median(own.rates) / 2;
  const timed = all.filter((each) => !kinds.includes(each));
  for (let round = 0; round < latencyRounds; round += 1) {
    for (const each of timed) {
      const cannotKeepUp = round > 0 && each.latencies.every((measured) => measured === undefined);
      each.latencies.push(cannotKeepUp ? undefined : await latencies(each.target, rate, seconds));
    }
    console.log(
      `round ${round + 1} of ${latencyRounds}, at ${rate.toFixed(0)} a second, p99: ${timed.map(({ name, latencies }) => `${name} ${latencies.at(-1)?.p99.toFixed(2) ?? '-'}`).join('; ')}`,
    );
  }
  const [, raw] = all;
  const row = (each: Candidate) => toRow(each, raw?.rates ?? []);
  await writeTable(timed.map(row), kinds.map(row), { rate, size });
}

async function etagOf({ url, headers }: Target): Promise<string> {
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}

function toRow({ name, rates, latencies }: Candidate, raw: readonly number[]): MeasuredRow {
  const ratios = inOrder(rates.map((rate, round) => rate / (raw[round] ?? Number.NaN)));
  const measured = latencies.filter((each) => each !== undefined);
  const isTimed = measured.length > latencies.length / 2;
  return {
    name,
    perSecond: median(rates),
    ofRaw: [median(ratios), ratios[0] ?? Number.NaN, ratios.at(-1) ?? Number.NaN],
    median: isTimed ? median(measured.map((each) => each.median)) : undefined,
    p99: isTimed ? median(measured.map(({ p99 }) => p99)) : undefined,
  };
}

function median(figures: readonly number[]): number {
  return quantile(inOrder(figures), 0.5);
}
