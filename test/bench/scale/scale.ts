/**
 * Measures what a request costs gateways, Redis, the authentication service and PostgreSQL, and writes what numbers of
 * accounts and questions need to docs/scale.md.
 * Arguments: rounds, seconds of each, and questions of the smaller bank.
 */
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { manifestFile, parseManifest, storedVariants } from '../../../build/release/manifest.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { postgres } from '../../gateway/accounts/engines.ts';
import { noRedis } from '../../gateway/limits/redis-server.ts';
import { conditions, putIntoDocs, sum } from '../figures.ts';
import { buildBank, paperPath, publishPapers, writeLargeBank } from '../generated.ts';
import { client } from '../load.ts';
import { memoryOf, runBench, stop, timeOfChildren } from '../processes.ts';
import { startBenchGateway } from '../servers.ts';
import { measureCosts, type Paths, startServers } from './costs.ts';
import type { Profile } from './model.ts';
import {
  accountTable,
  answer,
  costTable,
  type MeasuredBank,
  type MemoryOfGateway,
  partTable,
  questionTable,
} from './tables.ts';

const rounds = Number(process.argv[2] ?? 3);
const seconds = Number(process.argv[3] ?? 1);
const questions = Number(process.argv[4] ?? 10_000);
/** How many times as many papers the larger of two has: of two banks, and of two gateways. */
const times = 10;

/** Accounts that use the whole quota of `free`, most of it in the hours before an exam. */
const free: Profile = {
  requestsPerMonth: 1_000,
  peak: 10,
  mix: {
    ...{ metadata: 0.5, metadata304: 0.5 },
    ...{ paper: 0.5, paper304: 0.3, diagram: 0.2 },
    ...{ '401': 0.02, '429': 0.05 },
  },
  session: { requests: 20, seconds: 60 },
  signInsPerMonth: 2,
  cdn: 0.9,
};
/** The plan `school` in docs/settings.md. */
const school: Profile = {
  ...free,
  requestsPerMonth: 100_000,
  session: { requests: 600, seconds: 60 },
};

const shift = dirname(paperPath(0));
const diagram = 'jeemain-2000-01-01-s1-physics-01-circuit.svg';
/** What the benchmark requests. */
const paths: Paths = {
  metadata: dirname(shift),
  paper: paperPath(0),
  diagram: `${shift}/diagrams/${diagram}`,
};
/** Bytes that a file system allocates at a time. */
const block = 4096;

const missing = [
  postgres.skip,
  noRedis,
  client !== 'wrk' && 'there is no wrk',
  process.platform !== 'linux' && 'processor times are read from /proc',
].filter((why) => why !== false);
if (missing.length === 0) await runBench(main);
else {
  console.error(
    `This benchmark needs Linux with wrk, Redis and PostgreSQL: ${missing.join('; ')}.`,
  );
  process.exitCode = 2;
}

async function main(folder: string): Promise<void> {
  const small = await measureBank(join(folder, 'small'), questions);
  const large = await measureBank(join(folder, 'large'), questions * times);
  const memory = [
    await memoryOfGateway(join(folder, 'few'), large.papers),
    await memoryOfGateway(join(folder, 'many'), large.papers * times),
  ] as const;
  const servers = await startServers(folder, join(folder, 'small/dist'));
  const costs = await measureCosts(servers, paths, rounds, seconds);
  const sections = {
    answer: answer(costs, free, school),
    costs: `${conditions()}.\n\n${costTable(costs)}`,
    parts: partTable(costs, free, school),
    free: accountTable(costs, free),
    school: accountTable(costs, school),
    questions: questionTable([small, large], memory),
  };
  for (const [name, text] of Object.entries(sections))
    await putIntoDocs(`scale ${name}`, text, 'docs/scale.md');
}

/** Builds a bank of generated questions with one diagram in a folder. */
async function measureBank(folder: string, questions: number): Promise<MeasuredBank> {
  const [content, dist] = [join(folder, 'content'), join(folder, 'dist')];
  const bank = await writeLargeBank(content, questions);
  await addDiagram(content);
  const before = timeOfChildren();
  await buildBank(content, dist, join(folder, 'data'));
  const buildSeconds = (timeOfChildren() - before) / 1e6;
  const file = join(dist, 'current', manifestFile);
  const manifest = parseManifest(await readFile(file, 'utf8'));
  const sizes = [...storedVariants(manifest)].map(({ size }) => size);
  const { size: manifestBytes } = await stat(file);
  const diskBytes = sum([...sizes, manifestBytes].map((size) => Math.ceil(size / block) * block));
  return {
    ...{ papers: bank.papers, questions: bank.questions, files: sizes.length + 1 },
    ...{ manifestBytes, diskBytes, buildSeconds },
  };
}

/** Adds a diagram of the sample bank to the first question. */
async function addDiagram(content: string): Promise<void> {
  const file = join(content, paperPath(0));
  const paper = JSON.parse(await readFile(file, 'utf8'));
  paper.questions[0].diagrams = [
    { file: diagram, alt: 'A circuit with a battery and two resistors.' },
  ];
  await writeFile(file, `${JSON.stringify(paper, undefined, 2)}\n`);
  await mkdir(join(content, shift, 'diagrams'));
  const sample = 'jeemain/2024/2024-01-27-s1/diagrams/jeemain-2024-01-27-s1-physics-03-circuit.svg';
  await copyFile(join(sampleContentDir, sample), join(content, shift, 'diagrams', diagram));
}

/** The resident memory of a gateway after its start. */
async function memoryOfGateway(folder: string, papers: number): Promise<MemoryOfGateway> {
  const dist = join(folder, 'dist');
  await publishPapers(dist, 'bench', papers);
  const gateway = await startBenchGateway(folder, dist);
  const bytes = memoryOf(gateway.process.pid);
  await stop(gateway.process);
  return [papers, bytes];
}
