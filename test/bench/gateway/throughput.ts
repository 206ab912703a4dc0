/**
 * Measures the throughput of the gateway and of alternatives: the same question file, sent as gzip to clients with a key,
 * by one core. Each is measured in every round, so that other load on the machine affects all of them. Writes the table of
 * docs/benchmarks.md. Arguments: rounds, and seconds of each.
 */
import { join } from 'node:path';
import { bytesOf, conditions, count, median, putIntoDocs, rangeOf, table } from '../figures.ts';
import { paperPath, writeQuestions } from '../generated.ts';
import { client, targetOf, throughput } from '../load.ts';
import { has, inRounds, runBench } from '../processes.ts';
import { startBenchGateway, startStacks } from '../servers.ts';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 5);

await runBench(async (folder) => {
  const size = await writeQuestions(folder);
  const { origin, roomyKey: key } = await startBenchGateway(folder, join(folder, 'dist'));
  const peers = await startStacks({ folder, files: join(folder, 'files'), key });
  const stacks = [['this gateway', { origin }] as const, ...peers].map(([name, server]) => ({
    name,
    target: targetOf(`${server.origin}/${paperPath(0)}`, key),
  }));
  const byStack = await inRounds(
    rounds,
    stacks,
    ({ target }) => throughput(target, seconds),
    (rate) => rate.toFixed(0),
  );
  const [, raw = []] = [...byStack.values()];
  const rows = [...byStack].map(([{ name }, rates]) => {
    const ratios = rates.map((rate, round) => rate / (raw[round] ?? Number.NaN));
    return [
      name,
      count(median(rates)),
      `${median(ratios).toFixed(2)} (${rangeOf(ratios, 2, '–')})`,
    ];
  });
  const pinning = has('taskset') ? 'server and client on a core each' : 'nothing pinned';
  const text = `${conditions()}, ${pinning}, ${client}: a question file of ${bytesOf(size.plain)}, sent as ${bytesOf(size.gzip)} of gzip.

${table(['', 'requests/s', 'of node:http (range)'], rows)}`;
  await putIntoDocs(`gateway node ${process.versions.node.split('.')[0]}`, text);
});
