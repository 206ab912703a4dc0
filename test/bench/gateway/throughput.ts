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
import { has, inRounds, runBench } from '../processes.ts';
import { startBenchGateway, startStacks } from '../servers.ts';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 5);
/** The 99th percentile depends on few requests, so more rounds are needed. */
const latencyRounds = rounds * 3;

/** What is measured: a stack, or a kind of response of the gateway. */
interface Candidate {
  readonly name: string;
  readonly target: Target;
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
    return { name, target };
  };
  const stacks = [await candidate('this gateway', gateway.origin, 200)];
  const peers = await startStacks({ folder, files: join(folder, 'files'), key: gateway.roomyKey });
  for (const [name, { origin }] of peers) stacks.push(await candidate(name, origin, 200));
  const others: Candidate[] = [];
  for (const [status, name] of Object.entries(kinds))
    others.push(await candidate(name, gateway.origin, Number(status)));

  const all = [...stacks, ...others];
  const byCandidate = await inRounds(
    rounds,
    all,
    ({ target }) => throughput(target, seconds),
    (rate) => rate.toFixed(0),
  );
  const [own = [], raw = []] = [...byCandidate.values()];
  const rate = median(own) / 2;
  /** Stacks that cannot keep up with the rate. */
  const slow = new Set<Candidate>();
  const latencies = await inRounds(
    latencyRounds,
    stacks,
    async (each) => {
      const measured = slow.has(each) ? undefined : await latenciesAt(each.target, rate, seconds);
      if (!measured) slow.add(each);
      return measured;
    },
    (measured) => measured?.p99.toFixed(2) ?? '-',
  );
  const pinning = has('taskset') ? 'server and client on a core each' : 'nothing pinned';
  const head = ['', 'requests/s', 'of node:http (range)', 'median', 'p99'];
  const text = `${conditions()}, ${pinning}, ${client}: a question file of ${bytesOf(size.plain)}, sent as ${bytesOf(size.gzip)} of gzip; latencies at ${count(rate)} requests a second.

${table(
  head,
  stacks.map((each) =>
    rowOf(each.name, byCandidate.get(each) ?? [], raw, latencies.get(each) ?? []),
  ),
)}

Other responses of the gateway: ${others.map((each) => `${count(median(byCandidate.get(each) ?? []))} a second of ${each.name}`).join('; ')}.`;
  await putIntoDocs(`gateway node ${process.versions.node.split('.')[0]}`, text);
});

/** @param raw the rates of node:http in the same rounds */
function rowOf(
  name: string,
  rates: readonly number[],
  raw: readonly number[],
  latencies: readonly (Latencies | undefined)[],
): string[] {
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
