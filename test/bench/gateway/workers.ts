/**
 * Compares a gateway of two workers with one of a single process: throughput at full load, and processor time per request.
 * Gateway and client share two cores. Each gateway is measured in every round.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf } from '../../gateway/started-process.ts';
import { inOrder, quantile } from '../figures.ts';
import { processorTime } from '../processor-time.ts';
import { questionPath, writeQuestions } from './generated-papers.ts';
import { client, throughput } from './load.ts';
import { clientCore, pinned, serverCore, stop } from './pinned.ts';
import { startBenchGateway } from './running-bench-gateway.ts';

const rounds = Number(process.argv[2] ?? 5);
const seconds = 5;
const cores = `${clientCore},${serverCore}`;

interface Measured {
  readonly perSecond: number;
  /** Processor time of a request in microseconds, in all processes of the gateway. */
  readonly cost: number;
}

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const { gzip } = await writeQuestions(folder);
const one = await start('1');
const two = await start('2');
const load = loadavg().map((average) => average.toFixed(1));
console.log(
  `Node ${process.version}, ${client}, cores ${cores}, ${gzip} bytes of gzip, load ${load.join(' ')}`,
);
try {
  for (let round = 0; round <= rounds; round += 1) {
    for (const gateway of round % 2 === 0 ? [one, two] : [two, one]) {
      const measured = await measure(gateway);
      // The first round is the warm-up.
      if (round > 0) gateway.rounds.push(measured);
    }
  }
  for (const { workers, rounds: all } of [one, two]) {
    const [perSecond, cost] = [
      median(all.map((each) => each.perSecond)),
      median(all.map((each) => each.cost)),
    ];
    console.log(
      `WORKERS=${workers}  ${perSecond.toFixed(0)} requests/s, ${cost.toFixed(1)} µs of processor time each`,
    );
  }
  printRatio('requests/s', ({ perSecond }) => perSecond);
  printRatio('processor time', ({ cost }) => cost);
} finally {
  await Promise.all([one, two].map((gateway) => stop(gateway.process)));
  await rm(folder, { recursive: true });
}

async function start(workers: string) {
  const data = join(folder, workers);
  await mkdir(data);
  const [command, node] = pinned(cores, [process.execPath]);
  const settings = { WORKERS: workers };
  const gateway = await startBenchGateway(data, join(folder, 'dist'), settings, [command, ...node]);
  return { ...gateway, workers, rounds: [] as Measured[] };
}

async function measure({ process: { pid = 0 }, origin, roomyKey }: typeof one): Promise<Measured> {
  const headers = { 'Accept-Encoding': 'gzip', Authorization: `Bearer ${roomyKey}` };
  const before = timeOfAll(pid);
  const perSecond = await throughput(
    { url: `${origin}/${questionPath}`, headers, status: 200 },
    seconds,
    cores,
  );
  return { perSecond, cost: (timeOfAll(pid) - before) / (perSecond * seconds) };
}

/** The processor time of a process and its children in microseconds. */
function timeOfAll(pid: number): number {
  const times = [pid, ...childrenOf(pid)].map(processorTime);
  return times.reduce((sum, { user, kernel }) => sum + user + kernel, 0);
}

function printRatio(name: string, figure: (measured: Measured) => number): void {
  const ratios = inOrder(two.rounds.map((of, round) => figure(of) / figure(one.rounds[round] as Measured)));
  const range = [0, 1].map((share) => quantile(ratios, share).toFixed(2)).join(' to ');
  console.log(`${name.padEnd(14)} ${median(ratios).toFixed(2)} of one process, ${range}`);
}

function median(figures: readonly number[]): number {
  return quantile(inOrder(figures), 0.5);
}
