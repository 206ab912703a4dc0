/**
 * Measures throughput and latencies of the gateway and of alternatives: the same question file, sent as gzip to clients
 * with a key, by one core. Each is measured in every round, so that other load on the machine affects all of them. Writes
 * the table of docs/benchmarks.md. Arguments: rounds, and seconds of each.
 */
import { join } from 'node:path';
import { bytesOf, conditions, count, median, ms, putIntoDocs, rangeOf, table } from '../figures.ts';
import type { Latencies } from '../fixed-rate.ts';
import { paperPath, writeQuestions } from '../generated.ts';
import { client, latenciesAt, type Target, targetOf, throughput } from '../load.ts';
import { has, runBench } from '../processes.ts';
import { startBenchGateway, startStacks } from '../servers.ts';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 5);
/** The 99th percentile depends on few requests, so more rounds are needed. */
const latencyRounds = rounds * 3;
const warmUp = Math.min(4, seconds);

/** What is measured: a stack, or a kind of response of the gateway. */
interface Candidate {
  readonly name: string;
  readonly target: Target;
  readonly rates: number[];
  readonly latencies: (Latencies | undefined)[];
}

const kinds = {
  304: '304, to a client that has it',
  401: '401, without a well-formed key',
  403: '403, with a key that does not exist',
  429: '429, to a client too fast',
};

await runBench(async (folder) => {
  const size = await writeQuestions(folder);
  const gateway = await startBenchGateway(folder, join(folder, 'dist'));
  const candidate = async (name: string, origin: string, status: number): Promise<Candidate> => {
    const target = await targetOf(status, `${origin}/${paperPath(0)}`, gateway);
    return { name, target, rates: [], latencies: [] };
  };
  const stacks = [await candidate('this gateway', gateway.origin, 200)];
  const peers = await startStacks({ folder, files: join(folder, 'files'), key: gateway.roomyKey });
  for (const [name, { origin }] of peers) stacks.push(await candidate(name, origin, 200));
  const others: Candidate[] = [];
  for (const [status, name] of Object.entries(kinds))
    others.push(await candidate(name, gateway.origin, Number(status)));

  const all = [...stacks, ...others];
  for (const { target } of all) await throughput(target, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index] of all.entries()) {
      const next = all[(index + round) % all.length];
      next?.rates.push(await throughput(next.target, seconds));
    }
    const last = all.map(({ name, rates }) => `${name} ${rates.at(-1)?.toFixed(0)}`);
    console.log(`round ${round + 1} of ${rounds}: ${last.join('; ')}`);
  }
  const [own, raw] = stacks;
  const rate = median(own?.rates ?? []) / 2;
  for (let round = 0; round < latencyRounds; round += 1) {
    for (const each of stacks) {
      const cannotKeepUp = round > 0 && each.latencies.every((measured) => measured === undefined);
      each.latencies.push(cannotKeepUp ? undefined : await latenciesAt(each.target, rate, seconds));
    }
    const last = stacks.map(({ name, latencies }) => `${name} ${latencies.at(-1)?.p99.toFixed(2) ?? '-'}`);
    console.log(`round ${round + 1} of ${latencyRounds}, at ${rate.toFixed(0)} a second, p99: ${last.join('; ')}`);
  }
  const pinning = has('taskset') ? 'server and client on a core each' : 'nothing pinned';
  const head = ['', 'requests/s', 'of node:http (range)', 'median', 'p99'];
  const text = `${conditions()}, ${pinning}, ${client}: a question file of ${bytesOf(size.plain)}, sent as ${bytesOf(size.gzip)} of gzip; latencies at ${count(rate)} requests a second.

${table(
  head,
  stacks.map((each) => rowOf(each, raw?.rates ?? [])),
)}

Other responses of the gateway: ${others.map(({ name, rates }) => `${count(median(rates))} a second of ${name}`).join('; ')}.`;
  await putIntoDocs(`gateway node ${process.versions.node.split('.')[0]}`, text);
});

/** @param raw the rates of node:http in the same rounds */
function rowOf({ name, rates, latencies }: Candidate, raw: readonly number[]): string[] {
  const ratios = rates.map((rate, round) => rate / (raw[round] ?? Number.NaN));
  const measured = latencies.filter((each) => each !== undefined);
  const figure = (which: keyof Latencies) =>
    measured.length > latencies.length / 2 ? ms(median(measured.map((each) => each[which]))) : '–';
  return [
    name,
    count(median(rates)),
    `${median(ratios).toFixed(2)} (${rangeOf(ratios, 2, '–')})`,
    figure('median'),
    figure('p99'),
  ];
}
