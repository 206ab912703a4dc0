/**
 * Measures the throughput of the gateway and of alternatives: the same question file, sent as gzip to clients with a key,
 * by one core. Each is measured in every round, so that other load on the machine affects all of them.
 * Arguments: rounds, and seconds of each.
 */
import { join } from 'node:path';
import { bytesOf, conditions, count, median, rangeOf, table } from '../figures.ts';
import { paperPath, writeQuestions } from '../generated.ts';
import { client, targetOf, throughput } from '../load.ts';
import { has, runBench } from '../processes.ts';
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
  const rates = stacks.map((): number[] => []);
  // The first round is the warm-up. Each begins with another stack.
  for (let round = 0; round <= rounds; round += 1) {
    const shown: string[] = [];
    for (let turn = 0; turn < stacks.length; turn += 1) {
      const index = (round + turn) % stacks.length;
      const { name, target } = stacks[index] as (typeof stacks)[number];
      const rate = await throughput(target, seconds);
      shown.push(`${name} ${rate.toFixed(0)}`);
      if (round > 0) rates[index]?.push(rate);
    }
    console.log(`round ${round} of ${rounds}: ${shown.join('; ')}`);
  }
  const [, raw = []] = rates;
  const rows = stacks.map(({ name }, index) => {
    const own = rates[index] ?? [];
    const ratios = own.map((rate, round) => rate / (raw[round] ?? Number.NaN));
    return [name, count(median(own)), `${median(ratios).toFixed(2)} (${rangeOf(ratios, 2, '–')})`];
  });
  const pinning = has('taskset') ? 'server and client on a core each' : 'nothing pinned';
  console.log(`
${conditions()}, ${pinning}, ${client}: a question file of ${bytesOf(size.plain)}, sent as ${bytesOf(size.gzip)} of gzip.

${table(['', 'requests/s', 'of node:http (range)'], rows)}`);
});
