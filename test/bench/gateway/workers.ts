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
import { clientCore, inRounds, processorTime, runBench, serverCore } from '../processes.ts';
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
    return { name: `WORKERS=${workers}`, pid: gateway.process.pid ?? 0, target };
  };
  const gateways = [await start('1'), await start('2')];
  console.log(`${conditions()}, ${client}, cores ${cores}, ${bytesOf(gzip)} of gzip`);
  const measured = await inRounds(
    rounds,
    gateways,
    async ({ pid, target }) => {
      const before = timeOfAll(pid);
      const rate = await throughput(target, seconds, cores);
      return { rate, cost: (timeOfAll(pid) - before) / (rate * seconds) };
    },
    show,
  );
  const [one = [], two = []] = [...measured.values()];
  for (const figure of ['rate', 'cost'] as const) {
    const [ofOne, ofTwo] = [one, two].map((all) => all.map((each) => each[figure]));
    const ratios = (ofTwo ?? []).map((of, round) => of / (ofOne?.[round] ?? Number.NaN));
    const title = figure === 'rate' ? 'requests/s' : 'µs of processor time';
    const medians = [ofOne, ofTwo].map((all = []) => median(all).toFixed(1));
    console.log(
      `${title}: ${medians.join(' and ')}; ${median(ratios).toFixed(2)} of one process, ${rangeOf(ratios)}`,
    );
  }
});

function show({ rate, cost }: { readonly rate: number; readonly cost: number }): string {
  return `${rate.toFixed(0)} requests/s, ${cost.toFixed(1)} µs`;
}

/** The processor time of a process and its children in microseconds. */
function timeOfAll(pid: number): number {
  return sum([pid, ...childrenOf(pid)].map(processorTime));
}
