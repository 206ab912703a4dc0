/** The tables of docs/scale.md, as Markdown. */
import { constants } from 'node:buffer';
import type { MeasuredBank } from './measured-bank.ts';
import {
  type Capacity,
  type Costs,
  capacityOf,
  type Kind,
  kinds,
  latencyOf,
  lineThrough,
  type Profile,
  partsOf,
} from './model.ts';
import type { ReplicaRuns } from './replica-runs.ts';

const kindNames: Readonly<Record<Kind, string>> = {
  metadata: 'metadata, 200',
  metadata304: 'metadata, 304',
  paper: 'paper, 200 as gzip',
  paper304: 'paper, 304',
  diagram: 'diagram, 200',
  '401': '401, no well-formed key',
  '429': '429, over the rate',
};

const accountCounts = [1e3, 1e4, 1e5, 1e6, 1e7];
const questionCounts = [1e4, 1e5, 1e6, 1e7, 1e8];
const questionsPerPaper = 45;

/** The costs of requests, and what one core carries of them. */
export function costTable({ requests, keyCheck, signIn }: Costs): string {
  const rows = kinds.map((kind) => {
    const { embedded, shared, redis, bytes } = requests[kind];
    return [
      kindNames[kind],
      us(embedded),
      us(shared),
      redis > 0 ? us(redis) : '–',
      `${count(bytes)} B`,
      `${count(1e6 / embedded)}/s`,
      `${count(1e6 / shared)}/s`,
    ];
  });
  const head = [
    ...['Request', 'gateway, limits in process', 'gateway, limits in Redis', 'Redis', 'response'],
    ...['one core, in process', 'one core, with Redis'],
  ];
  return `${table(head, rows)}

If the key is not cached, a gateway with its own SQLite needs ${us(keyCheck.embedded)} more. A gateway that asks an authentication service needs ${us(keyCheck.gateway)} more, the service ${us(keyCheck.service)}, and PostgreSQL ${us(keyCheck.database)}. The password of a sign-in takes the service ${us(signIn)}.`;
}

/** What one of each part carries at half load. */
export function partTable(costs: Costs, free: Profile, school: Profile): string {
  const others = partsOf(costs, school);
  return table(
    ['Part', 'carries', 'accounts on `free`', 'accounts on `school`', 'when it is full'],
    partsOf(costs, free).map(({ name, carries, unit, accounts, then }, index) => [
      name,
      `${unit === 'bytes' ? bytesOf(carries) : `${count(carries)} ${unit}`}`,
      count(accounts),
      count(others[index]?.accounts ?? 0),
      then,
    ]),
  );
}

/** What numbers of accounts need. */
export function accountTable(costs: Costs, profile: Profile): string {
  return table(
    [
      'Accounts',
      'requests/s, average and peak',
      'gateway cores',
      'with affinity',
      'latency of a paper, median and p99',
      'Redis, processor and memory',
      'key checks/s',
      'service cores',
      'PostgreSQL cores, keys',
      'traffic',
      'cores that the CDN saves',
    ],
    accountCounts.map((accounts) => {
      const capacity = capacityOf(accounts, costs, profile);
      const latency = latencyOf(capacity, costs, profile);
      const isApart = !capacity.isEmbedded;
      return [
        count(accounts),
        `${count(capacity.average)}, ${count(capacity.peak)}`,
        gatewaysOf(capacity),
        count(capacity.withAffinity),
        latency ? `${ms(latency.median)}, ${ms(latency.p99)}` : '–',
        isApart
          ? `${capacity.shards} × ${percent(capacity.shardUse)}, ${bytesOf(capacity.redisMemory)}`
          : 'not needed',
        count(capacity.keyChecks),
        isApart ? count(Math.ceil(capacity.serviceCores)) : 'embedded',
        isApart
          ? `${count(Math.ceil(capacity.databaseCores))}, ${bytesOf(capacity.databaseSize)}`
          : `SQLite, ${bytesOf(capacity.databaseSize)}`,
        `${count(capacity.bandwidth / 1e6)} Mbit/s`,
        count(capacity.coresOfCdn),
      ];
    }),
  );
}

function gatewaysOf({ isEmbedded, gateways, gatewayUse }: Capacity): string {
  return `${count(gateways)}${isEmbedded ? ', embedded' : ''} (${percent(gatewayUse)})`;
}

/** What numbers of questions need, from two measured banks and the memory of gateways by papers. */
export function questionTable(
  small: MeasuredBank,
  large: MeasuredBank,
  memory: readonly [readonly [number, number], readonly [number, number]],
): string {
  const line = (figure: Exclude<keyof MeasuredBank, 'distDir'>) =>
    lineThrough([small.papers, small[figure]], [large.papers, large[figure]]);
  const [files, disk, manifest] = [line('files'), line('diskBytes'), line('manifestBytes')];
  const [build, gateway] = [line('buildSeconds'), lineThrough(...memory)];
  const limit = manifest.until(constants.MAX_STRING_LENGTH) * questionsPerPaper;
  const rows = questionCounts.map((questions) => {
    const papers = Math.ceil(questions / questionsPerPaper);
    return [
      count(questions),
      count(papers),
      count(files.at(papers)),
      bytesOf(disk.at(papers)),
      `${bytesOf(manifest.at(papers))}${questions > limit ? ' (too long)' : ''}`,
      `${count(build.at(papers))} s`,
      bytesOf(gateway.at(papers)),
    ];
  });
  return `${table(
    [
      'Questions',
      'papers',
      'files',
      'release on disk',
      'manifest',
      'build, processor time',
      'memory of a gateway',
    ],
    rows,
  )}

Measured: ${count(small.questions)} and ${count(large.questions)} questions; the memory of a gateway with ${count(memory[0][0])} and ${count(memory[1][0])} papers. The rest is a straight line through these. The manifest reaches the longest string of V8 (${bytesOf(constants.MAX_STRING_LENGTH)}) at ${count(limit)} questions.`;
}

/** Cores of other programs with which latencies say nothing about the gateway. */
const tooBusy = 0.2;

/** The simulation beside the measurement. */
export function comparisonTable({ throughput, ratios, own, others, latency }: ReplicaRuns): string {
  const row = (
    name: string,
    { measured, predicted }: { measured: number; predicted: number },
    unit: string,
  ) => [name, `${count(measured)}${unit}`, `${count(predicted)}${unit}`, (predicted / measured).toFixed(2)];
  const [lowest, highest] = ratios.map((ratio) => ratio.toFixed(2));
  const isCalm = others < tooBusy;
  const rows = [
    row('requests/s, with the cores that they got', throughput, ''),
    ...(isCalm ? [row('cores used', own, '')] : []),
    ...(isCalm && latency
      ? [
          row(`one gateway, median at ${count(latency.rate)}/s`, latency.median, ' ms'),
          row(`one gateway, p99 at ${count(latency.rate)}/s`, latency.p99, ' ms'),
        ]
      : []),
  ];
  const load = `Other programs used ${count(others)} cores meanwhile`;
  return `${table(['Two gateways on Redis', 'measured', 'simulated', 'ratio'], rows)}

The ratio of throughputs was between ${lowest} and ${highest}. ${load}${isCalm ? '.' : ', too many to compare latencies.'}`;
}

/** What 10,000 accounts need, in sentences. */
export function answer(costs: Costs, free: Profile, school: Profile): string {
  const [one, other] = [capacityOf(1e4, costs, free), capacityOf(1e4, costs, school)];
  const describe = (capacity: Capacity) =>
    capacity.isEmbedded
      ? `One process with everything embedded is enough; it uses ${percent(capacity.gatewayUse)} of a core.`
      : `They need ${capacity.gateways} gateway processes, each ${percent(capacity.gatewayUse)} busy, ${capacity.shards} Redis, and ${Math.ceil(capacity.serviceCores)} authentication service with PostgreSQL.`;
  return `10,000 accounts that use their whole quota of 1,000 requests a month send ${count(one.average)} requests a second on average, and ${count(one.peak)} at the peak. ${describe(one)} A second process with Redis is only for availability.

10,000 accounts with a quota of 100,000 requests a month send ${count(other.average)} and ${count(other.peak)}. ${describe(other)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  );
}

/** Three significant digits. */
function count(figure: number): string {
  return Number(figure.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 3 });
}

function us(microseconds: number): string {
  return microseconds < 1000
    ? `${Number(microseconds.toPrecision(3))} µs`
    : `${count(microseconds / 1000)} ms`;
}

function ms(seconds: number): string {
  return `${(seconds * 1000).toFixed(2)} ms`;
}

function percent(share: number): string {
  return `${count(Number((share * 100).toPrecision(2)))} %`;
}

function bytesOf(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)));
  return `${count(bytes / 1000 ** power)} ${units[power]}`;
}
