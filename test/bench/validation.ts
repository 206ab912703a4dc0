/**
 * Measures `npm run validate` on a valid bank with all rules, compared with ajv-cli, which validates the same files only
 * against their schema; the share of KaTeX in a first run; and the memory per question.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CacheFile } from '../../build/cache.ts';
import { environment, repository } from '../gateway/started-process.ts';
import { inOrder, quantile } from './figures.ts';
import { writeLargeBank } from './large-bank.ts';
import { peerFile } from './peers.ts';

const rounds = 7;
const questions = Number(process.argv[2] ?? 100_000);

/** Makes a process print its peak memory in KiB when it exits. */
const printMemory = [
  '--import',
  'data:text/javascript,process.on("exit",()=>console.error("memory",process.resourceUsage().maxRSS))',
];

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const data = join(folder, 'data');
try {
  await measure();
} finally {
  await rm(folder, { recursive: true });
}

async function measure(): Promise<void> {
  const ajv = await peerFile('ajv-cli/dist/index.js');
  const formats = await peerFile('ajv-formats');
  const bank = join(folder, 'bank');
  const size = await writeLargeBank(bank, questions);
  console.log(
    `${size.questions} questions in ${size.files} files, ${(size.bytes / 1e6).toFixed(0)} MB, Node ${process.version}, ${availableParallelism()} cores`,
  );
  const schema = 'content/schema/subject-file.schema.json';
  const validateSchemaOnly = () =>
    run([
      ...[ajv, 'validate', '--spec=draft2020', '--strict=false', '-c', formats, '-s', schema],
      ...['-d', join(bank, 'jeemain/*/*/*.json')],
    ]);
  const first = (await validate(bank)).seconds;
  const times = { peer: [] as number[], uncached: [] as number[], cached: [] as number[] };
  for (let round = 1; round <= rounds; round += 1) {
    times.peer.push((await validateSchemaOnly()).seconds);
    await clearResults();
    times.uncached.push((await validate(bank)).seconds);
    times.cached.push((await validate(bank)).seconds);
    const [peer, uncached, cached] = [times.peer, times.uncached, times.cached].map((all) =>
      inSeconds(all.at(-1)),
    );
    console.log(
      `round ${round} of ${rounds}: ajv-cli ${peer}, validate uncached ${uncached}, cached ${cached}`,
    );
  }
  const [peer, uncached, cached] = [median(times.peer), median(times.uncached), median(times.cached)];
  console.log(`
ajv-cli, schema only                    median ${inSeconds(peer)}
validate, all rules, cached results     median ${inSeconds(cached)}, ${(cached / peer).toFixed(2)} of ajv-cli
validate, all rules, no cached results  median ${inSeconds(uncached)}, ${(uncached / peer).toFixed(2)} of ajv-cli
validate, first run                     ${inSeconds(first)}, of which KaTeX takes ${inSeconds(first - uncached)}`);
  await measureMemory(bank, size.questions);
}

/** The memory per question, from two banks of which one is a quarter of the other. */
async function measureMemory(whole: string, questions: number): Promise<void> {
  const part = join(folder, 'quarter');
  const quarter = (await writeLargeBank(part, questions / 4)).questions;
  const [less, more] = [await memoryFor(part), await memoryFor(whole)];
  const perQuestion = (more - less) / (questions - quarter);
  console.log(
    `memory: ${inMebibytes(less)} for ${quarter} questions, ${inMebibytes(more)} for ${questions}: ${perQuestion.toFixed(0)} bytes a question`,
  );
}

/** The peak memory in bytes when every file is validated. */
async function memoryFor(contentDir: string): Promise<number> {
  await validate(contentDir);
  await clearResults();
  const { output } = await validate(contentDir, printMemory);
  return Number(/memory (\d+)/.exec(output)?.[1]) * 1024;
}

/** Removes cached results of files, but not the valid formulas, whose share is measured separately. */
async function clearResults(): Promise<void> {
  const file = await CacheFile.open(data, 'results');
  const [formulas] = await file.read();
  if (formulas) await file.write([formulas]);
}

function validate(contentDir: string, flags: readonly string[] = []) {
  const settings = { CONTENT_DIR: contentDir, DATA_DIR: data };
  return run([...flags, 'build/pastpaper.js', 'validate'], settings);
}

/** Runs Node, which must succeed. */
async function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: repository,
    env: environment(settings),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${output.slice(-2000)}`);
  return { seconds: (performance.now() - start) / 1000, output };
}

function median(times: readonly number[]): number {
  return quantile(inOrder(times), 0.5);
}

function inSeconds(seconds = Number.NaN): string {
  return `${seconds.toFixed(2)} s`;
}

function inMebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
}
