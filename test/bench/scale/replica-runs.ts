/** Compares the simulation with measured runs of gateways that share two cores with Redis and the clients. */
import { availableParallelism } from 'node:os';
import { inOrder, quantile } from '../figures.ts';
import type { Latencies } from '../gateway/fixed-rate.ts';
import { connections, latencies, type Target } from '../gateway/load.ts';
import { clientCore } from '../gateway/pinned.ts';
import { coreOfReplica } from '../gateway/running-bench-replicas.ts';
import { costsOf, type Paths, type RunCosts, type Servers, targetOf } from './costs.ts';
import { type Load, type SimulatedProcess, simulate } from './simulation.ts';

const cores = availableParallelism();

/** A measured figure, and the one that the simulation predicts. */
export interface Comparison {
  readonly measured: number;
  readonly predicted: number;
}

export interface ReplicaRuns {
  /** Requests per second of two gateways: the medians of the runs. */
  readonly throughput: Comparison;
  /** Predicted throughput divided by the measured one: the lowest and highest of the runs. */
  readonly ratios: readonly [number, number];
  /** Cores that gateways, Redis and clients used, and would use if they had the machine for themselves. */
  readonly own: Comparison;
  /** Cores that other programs used. */
  readonly others: number;
  /** Milliseconds of a request to one gateway on Redis at half of its full load, from when it was due. */
  readonly latency:
    | { readonly rate: number; readonly median: Comparison; readonly p99: Comparison }
    | undefined;
}

/**
 * Measures two gateways at full load. The costs of one gateway predict their throughput, for as many cores as they got
 * beside other programs.
 */
export async function compareReplicas(
  servers: Servers,
  paths: Paths,
  rounds: number,
  seconds: number,
): Promise<ReplicaRuns> {
  const { replicas } = servers;
  const targets = await Promise.all(
    replicas.origins.map((origin) => targetOf('paper', origin, replicas, paths)),
  );
  const one = targets.slice(0, 1);
  const runs: (RunCosts & ReturnType<typeof predict>)[] = [];
  // The warm-up.
  await costsOf(servers, targets, seconds);
  let before = await costsOf(servers, one, seconds);
  for (let round = 1; round <= rounds; round += 1) {
    const measured = await costsOf(servers, targets, seconds);
    const after = await costsOf(servers, one, seconds);
    const run = { ...measured, ...predict(meanOf(before, after), measured.own) };
    runs.push(run);
    const { rate, predicted, own, used, others } = run;
    console.log(
      `two gateways, round ${round} of ${rounds}: ${rate.toFixed(0)} requests/s, predicted ${predicted.toFixed(0)}; ${own.toFixed(2)} cores of ${used.toFixed(2)} that they could use; other programs ${others.toFixed(2)}`,
    );
    before = after;
  }
  const medianOf = (figure: 'rate' | 'predicted' | 'own' | 'used' | 'others') =>
    quantile(inOrder(runs.map((run) => run[figure])), 0.5);
  const ratios = inOrder(runs.map(({ rate, predicted }) => predicted / rate));
  return {
    throughput: { measured: medianOf('rate'), predicted: medianOf('predicted') },
    ratios: [ratios[0] ?? Number.NaN, ratios.at(-1) ?? Number.NaN],
    own: { measured: medianOf('own'), predicted: medianOf('used') },
    others: medianOf('others'),
    latency: one[0] && (await compareLatency(one[0], before, seconds)),
  };
}

/** @param own cores that the run got @returns requests per second with these, and the cores that it could use */
function predict(costs: RunCosts, own: number): { readonly predicted: number; readonly used: number } {
  const { processes, loads } = modelOf(2, costs, (steps) => ({ steps, connections }));
  const { loads: outcomes, utilisation } = simulate({ processes, loads, seconds: 2 });
  const used = utilisation.reduce((sum, each) => sum + each, 0);
  const rate = outcomes.reduce((sum, each) => sum + each.throughput, 0);
  return { predicted: rate * Math.min(1, own / used), used };
}

/** Requests per second that do not wait for each other. */
const calm = 100;

/** Compares the latency of one gateway at half of its full load. */
async function compareLatency(
  target: Target,
  costs: RunCosts,
  seconds: number,
): Promise<ReplicaRuns['latency']> {
  const rate = costs.rate / 2;
  const alone = await lowestLatencies(target, calm, seconds);
  const measured = await lowestLatencies(target, rate, seconds);
  if (!alone || !measured) return undefined;
  // What processor time does not explain: the system wakes up three processes, one after the other.
  const delay = Math.max(0, alone.median / 1000 - (costs.gateways + costs.redis) / 1e6) / 3;
  const { processes, loads } = modelOf(1, { ...costs, clients: 0 }, (steps) => ({
    steps: steps.map((step) => ({ ...step, delay })).slice(1),
    rate,
  }));
  const { loads: outcomes } = simulate({ processes, loads, seconds: 4 });
  const [outcome] = outcomes;
  if (!outcome) return undefined;
  return {
    rate,
    median: { measured: measured.median, predicted: outcome.median * 1000 },
    p99: { measured: measured.p99, predicted: outcome.p99 * 1000 },
  };
}

/** The latencies of the run with the lowest median, of three: other programs only add to them. */
async function lowestLatencies(target: Target, rate: number, seconds: number) {
  let lowest: Latencies | undefined;
  for (let run = 0; run < 3; run += 1) {
    const measured = await latencies(target, rate, seconds);
    if (measured && !(lowest && lowest.median <= measured.median)) lowest = measured;
  }
  return lowest;
}

/** Gateways on Redis with a client each, on the cores where `startBenchReplicas` and the clients run. */
function modelOf(
  gateways: number,
  { clients, gateways: gateway, redis }: RunCosts,
  loadOf: (steps: Load['steps']) => Load,
): { processes: SimulatedProcess[]; loads: Load[] } {
  const processes = Array.from({ length: gateways }, (_, replica) => [
    { cores: [Number(clientCore)] },
    { cores: [coreOfReplica(replica, 2)] },
  ]).flat();
  const loads = Array.from({ length: gateways }, (_, replica) => {
    // The decision is in the middle of a request.
    const half = { process: 2 * replica + 1, cost: gateway / 2e6 };
    return loadOf([
      { process: 2 * replica, cost: clients / 1e6 },
      half,
      { process: 2 * gateways, cost: redis / 1e6 },
      half,
    ]);
  });
  return { processes: [...processes, { cores: Array.from({ length: cores }, (_, core) => core) }], loads };
}

function meanOf(one: RunCosts, other: RunCosts): RunCosts {
  const mean = (name: keyof RunCosts) => (one[name] + other[name]) / 2;
  return { ...one, clients: mean('clients'), gateways: mean('gateways'), redis: mean('redis') };
}
