/**
 * Compares a gateway of two workers with one of a single process: throughput at full load, and processor time per request.
 * Gateway and client share two cores. Each gateway is measured in every round. Arguments: rounds, and seconds of each.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { childrenOf } from '../../gateway/started-process.ts';
import { bytesOf, conditions, median, rangeOf, sum } from '../figures.ts';
import { paperPath, writeQuestions } from '../generated.ts';
import { client, targetOf, throughput } from '../load.ts';
import { clientCore, processorTime, runBench, serverCore } from '../processes.ts';
import { startBenchGateway } from '../servers.ts';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 5);
const cores = `${clientCore},${serverCore}`;

await runBench(async (folder) => {
  const { gzip } = await writeQuestions(folder);
  const start = async (workers: string) => {
    const data = join(folder, workers);
    await mkdir(data);
    const options = { settings: { WORKERS: workers }, core: cores };
    const gateway = await startBenchGateway(data, join(folder, 'dist'), options);
    const target = await targetOf(200, `${gateway.origin}/${paperPath(0)}`, gateway);
    return { pid: gateway.process.pid ?? 0, workers, target, rates: [] as number[], costs: [] as number[] };
  };
  const [one, two] = [await start('1'), await start('2')];
  console.log(`${conditions()}, ${client}, cores ${cores}, ${bytesOf(gzip)} of gzip`);
  // The first round is the warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { pid, target, rates, costs } of round % 2 === 0 ? [one, two] : [two, one]) {
      const before = timeOfAll(pid);
      const rate = await throughput(target, seconds, cores);
      if (round === 0) continue;
      rates.push(rate);
      costs.push((timeOfAll(pid) - before) / (rate * seconds));
    }
  }
  for (const { workers, rates, costs } of [one, two])
    console.log(
      `WORKERS=${workers}  ${median(rates).toFixed(0)} requests/s, ${median(costs).toFixed(1)} µs of processor time each`,
    );
  const comparison = { 'requests/s': 'rates', 'processor time': 'costs' } as const;
  for (const [name, figure] of Object.entries(comparison)) {
    const ratios = two[figure].map((of, round) => of / (one[figure][round] ?? Number.NaN));
    console.log(`${name.padEnd(14)} ${median(ratios).toFixed(2)} of one process, ${rangeOf(ratios)}`);
  }
});

/** The processor time of a process and its children in microseconds. */
function timeOfAll(pid: number): number {
  return sum([pid, ...childrenOf(pid)].map(processorTime));
}
