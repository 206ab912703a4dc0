/**
 * How long `npm run validate` takes over a clean bank with every rule on, against ajv-cli, which holds the same
 * files against their schema alone; what KaTeX takes of a first run; and the memory a question costs.
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

/** Has a process tell the most memory that it held, in KiB, when it ends. */
const tellMemory = [
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
  const schemaAlone = () =>
    run([
      ...[ajv, 'validate', '--spec=draft2020', '--strict=false', '-c', formats, '-s', schema],
      ...['-d', join(bank, 'jeemain/*/*/*.json')],
    ]);
  const first = (await validate(bank)).seconds;
  const times = { peer: [] as number[], anew: [] as number[], again: [] as number[] };
  for (let round = 1; round <= rounds; round += 1) {
    times.peer.push((await schemaAlone()).seconds);
    await forgetResults();
    times.anew.push((await validate(bank)).seconds);
    times.again.push((await validate(bank)).seconds);
    const [peer, anew, again] = [times.peer, times.anew, times.again].map((all) => inSeconds(all.at(-1)));
    console.log(`round ${round} of ${rounds}: ajv-cli ${peer}, validate anew ${anew}, again ${again}`);
  }
  const [peer, anew, again] = [median(times.peer), median(times.anew), median(times.again)];
  console.log(`
ajv-cli, the schema alone                     median ${inSeconds(peer)}
validate, every rule, the files unchanged     median ${inSeconds(again)}, ${(again / peer).toFixed(2)} of ajv-cli
validate, every rule, every file anew         median ${inSeconds(anew)}, ${(anew / peer).toFixed(2)} of ajv-cli
validate, the first time                      ${inSeconds(first)}, of which KaTeX has ${inSeconds(first - anew)}`);
  await measureMemory(bank, size.questions);
}

/** What a question costs, from two banks of which the one is a quarter of the other. */
async function measureMemory(whole: string, questions: number): Promise<void> {
  const part = join(folder, 'quarter');
  const quarter = (await writeLargeBank(part, questions / 4)).questions;
  const [less, more] = [await memoryFor(part), await memoryFor(whole)];
  const perQuestion = (more - less) / (questions - quarter);
  console.log(
    `memory: ${inMebibytes(less)} for ${quarter} questions, ${inMebibytes(more)} for ${questions}: ${perQuestion.toFixed(0)} bytes a question`,
  );
}

/** Bytes, when every file is looked at. */
async function memoryFor(contentDir: string): Promise<number> {
  await validate(contentDir);
  await forgetResults();
  const { said } = await validate(contentDir, tellMemory);
  return Number(/memory (\d+)/.exec(said)?.[1]) * 1024;
}

/** Removes the cached results of files but not the formulas that KaTeX accepts, whose share is measured apart. */
async function forgetResults(): Promise<void> {
  const file = await CacheFile.open<object>(data, 'results');
  const stored = await file.read();
  if (stored) await file.write({ ...stored, units: new Map() });
}

function validate(contentDir: string, flags: readonly string[] = []) {
  const settings = { CONTENT_DIR: contentDir, DATA_DIR: data };
  return run([...flags, 'build/pastpaper.js', 'validate'], settings);
}

/** Runs Node to its end. */
async function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: repository,
    env: environment(settings),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${said.slice(-2000)}`);
  return { seconds: (performance.now() - start) / 1000, said };
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
