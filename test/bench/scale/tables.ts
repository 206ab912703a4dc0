/** The tables of docs/scale.md, as Markdown. */
import { bytesOf, count, table } from '../figures.ts';
import {
  type Capacity,
  type Costs,
  capacityOf,
  type Kind,
  kinds,
  lineThrough,
  type Profile,
  partsOf,
} from './model.ts';

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
  const head = [
    ...['Request', 'gateway, limits in process', 'gateway, limits in Redis', 'Redis', 'response'],
    ...['one core, in process', 'one core, with Redis'],
  ];
  const rows = kinds.map((kind) => {
    const { embedded, shared, redis, bytes } = requests[kind];
    const times = [us(embedded), us(shared), redis > 0 ? us(redis) : '–'];
    const rates = [embedded, shared].map((cost) => `${count(1e6 / cost)}/s`);
    return [kindNames[kind], ...times, `${count(bytes)} B`, ...rates];
  });
  return `${table(head, rows)}

If the key is not cached, a gateway with its own SQLite needs ${us(keyCheck.embedded)} more. A gateway that asks an authentication service needs ${us(keyCheck.gateway)} more, the service ${us(keyCheck.service)}, and PostgreSQL ${us(keyCheck.database)}. The password of a sign-in takes the service ${us(signIn)}.`;
}

/** What one of each part carries at half load. */
export function partTable(costs: Costs, free: Profile, school: Profile): string {
  const others = partsOf(costs, school);
  const rows = partsOf(costs, free).map(({ name, carries, unit, accounts, then }, index) => [
    name,
    unit === 'bytes' ? bytesOf(carries) : `${count(carries)} ${unit}`,
    ...[count(accounts), count(others[index]?.accounts ?? 0), then],
  ]);
  return table(
    ['Part', 'carries', 'accounts on `free`', 'accounts on `school`', 'when it is full'],
    rows,
  );
}

/** What numbers of accounts need. */
export function accountTable(costs: Costs, profile: Profile): string {
  const head = [
    ...['Accounts', 'requests/s, average and peak', 'gateway cores', 'with affinity'],
    ...['Redis, processor and memory', 'key checks/s', 'service cores', 'PostgreSQL cores, keys'],
    ...['traffic', 'cores that the CDN saves'],
  ];
  const rows = accountCounts.map((accounts) => {
    const capacity = capacityOf(accounts, costs, profile);
    const { isEmbedded, gateways, gatewayUse, databaseSize, databaseCores } = capacity;
    const redis = `${capacity.shards} × ${percent(capacity.shardUse)}, ${bytesOf(capacity.redisMemory)}`;
    return [
      count(accounts),
      `${count(capacity.average)}, ${count(capacity.peak)}`,
      `${count(gateways)}${isEmbedded ? ', embedded' : ''} (${percent(gatewayUse)})`,
      count(capacity.withAffinity),
      isEmbedded ? 'not needed' : redis,
      count(capacity.keyChecks),
      isEmbedded ? 'embedded' : count(Math.ceil(capacity.serviceCores)),
      `${isEmbedded ? 'SQLite' : count(Math.ceil(databaseCores))}, ${bytesOf(databaseSize)}`,
      `${count(capacity.bandwidth / 1e6)} Mbit/s`,
      count(capacity.coresOfCdn),
    ];
  });
  return table(head, rows);
}

/** The measurements of a bank and its release. */
export interface MeasuredBank {
  readonly questions: number;
  readonly papers: number;
  /** Files of the release, and what they take on a disk in bytes. */
  readonly files: number;
  readonly diskBytes: number;
  /** Processor time of a build with an empty cache, in seconds. */
  readonly buildSeconds: number;
}

/** A number of papers, and the memory of a gateway with them. */
export type MemoryOfGateway = readonly [papers: number, bytes: number];

/** What numbers of questions need, from two measured banks and gateways. */
export function questionTable(
  [small, large]: readonly [MeasuredBank, MeasuredBank],
  memory: readonly [MemoryOfGateway, MemoryOfGateway],
): string {
  const line = (figure: keyof MeasuredBank) =>
    lineThrough([small.papers, small[figure]], [large.papers, large[figure]]);
  const [files, disk] = [line('files'), line('diskBytes')];
  const [build, gateway] = [line('buildSeconds'), lineThrough(...memory)];
  const head = [
    ...['Questions', 'papers', 'files', 'release on disk', 'build, processor time'],
    'memory of a gateway',
  ];
  const rows = questionCounts.map((questions) => {
    const papers = Math.ceil(questions / questionsPerPaper);
    return [
      ...[count(questions), count(papers), count(files.at(papers)), bytesOf(disk.at(papers))],
      `${count(build.at(papers))} s`,
      bytesOf(gateway.at(papers)),
    ];
  });
  return `${table(head, rows)}

Measured: ${count(small.questions)} and ${count(large.questions)} questions; the memory of a gateway with ${count(memory[0][0])} and ${count(memory[1][0])} papers. The rest is a straight line through these.`;
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

function us(microseconds: number): string {
  return microseconds < 1000
    ? `${Number(microseconds.toPrecision(3))} µs`
    : `${count(microseconds / 1000)} ms`;
}

function percent(share: number): string {
  return `${count(Number((share * 100).toPrecision(2)))} %`;
}
