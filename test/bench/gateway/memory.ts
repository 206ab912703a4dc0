/**
 * Measures large banks from build to response: the first build, the release, the start of a gateway, requests for random
 * papers, and a new release with one changed question. Arguments: sizes of the bank as QUESTIONS or QUESTIONSxPER_PAPER.
 * With `flags`, also measures the gateway without each of V8's flags that it sets.
 */
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { manifestFile, storedVariants } from '../../../build/release/manifest.ts';
import { readManifest } from '../../../build/release/verify.ts';
import { inOrder, quantile } from '../figures.ts';
import { changeOneQuestion, firstPaper, writeLargeBank } from '../large-bank.ts';
import { type Run, runNode } from '../run-node.ts';
import { runPinned, stop } from './pinned.ts';
import { type BenchGateway, startBenchGateway } from './running-bench-gateway.ts';
import { putIntoDocs } from './table.ts';

const words = process.argv.slice(2);
const sizes = words.filter((word) => word !== 'flags');
const flags = ['--max-semi-space-size=16', '--heap-growing-percent=20'];
const cacheBytes = 64 * 1024 * 1024;
/** Seconds of full load, and of a part between two measurements. */
const [fullLoad, part] = [60, 10];
/** Paths in wrk's script. */
const mostPaths = 20_000;
/** Milliseconds between two requests of light load, and between two measurements of the memory. */
const [interval, measured] = [10, 100];
/** Seconds of light load before the release. */
const calm = 5;
/** Milliseconds until a new release is served. */
const mostDelay = 600_000;

const titles = [
  'questions a paper',
  'papers',
  'release, files',
  'release, size',
  'manifest',
  'first build',
  'its memory',
  'build, one question changed',
  'its memory',
  'from then until it is served',
  'p99 meanwhile',
  'p99 before',
  'memory of gateway and reader',
  'start of the gateway',
  'its memory after the start',
  'after full load',
  'after the new release',
];

const columns: (readonly string[])[] = [];
for (const size of sizes.length > 0 ? sizes : ['1000000']) {
  const [questions = 0, perPaper] = size.split('x').map(Number);
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
  try {
    columns.push(await measure(folder, questions, perPaper));
  } finally {
    await rm(folder, { recursive: true });
  }
  const [heads, ...rows] = ['questions', ...titles].map((title, index) => [
    title,
    ...columns.map((column) => column[index] ?? ''),
  ]);
  const line = (cells: readonly string[] = []) => `| ${cells.join(' | ')} |`;
  const rule = line(heads?.map((_, index) => (index === 0 ? '---' : '---:')));
  const conditions = `Node ${process.versions.node}, ${availableParallelism()} cores, a cache of ${inMebibytes(cacheBytes)}:`;
  await putIntoDocs('memory', [conditions, '', line(heads), rule, ...rows.map(line)].join('\n'));
}

/** @returns the cells of a column */
async function measure(folder: string, questions: number, perPaper?: number): Promise<readonly string[]> {
  const content = join(folder, 'bank');
  const dist = join(folder, 'dist');
  const bank = await writeLargeBank(content, questions, perPaper);
  console.log(`\n${bank.questions} questions in ${bank.files} files, ${inMegabytes(bank.bytes)}`);
  const build = () =>
    runNode(['build/pastpaper.js', 'build'], {
      ...{ CONTENT_DIR: content, DIST_DIR: dist, DATA_DIR: join(folder, 'data') },
    });
  const cold = await build();
  console.log(`${cold.output}${inSeconds(cold.seconds)}, ${inMebibytes(cold.memory)}`);
  const release = await realpath(join(dist, 'current'));
  const manifest = await readManifest(release);
  const papers = Object.keys(manifest.protected);
  const variants = [...storedVariants(manifest)];
  const bytes = variants.reduce((sum, { size }) => sum + size, 0);
  const { length: manifestBytes } = await readFile(join(release, manifestFile));
  const settings = { CACHE_BYTES: String(cacheBytes) };
  const start = performance.now();
  let gateway = await startBenchGateway(folder, dist, settings);
  const startTime = (performance.now() - start) / 1000;
  try {
    const started = await memoryOf(gateway.process.pid);
    console.log(`started in ${inSeconds(startTime)}, ${inMebibytes(started)}`);
    const loaded = await load(gateway, folder, papers);
    const update = await publishChange(gateway, content, build);
    const updated = await memoryOf(gateway.process.pid);
    for (const without of words.includes('flags') ? flags : []) {
      await stop(gateway.process);
      console.log(`\nWithout ${without}`);
      gateway = await startBenchGateway(folder, dist, settings, [process.execPath], without);
      await load(gateway, folder, papers);
    }
    const figures: readonly (number | string)[] = [
      bank.questions,
      bank.questions / papers.length,
      papers.length,
      variants.length,
      inMegabytes(bytes),
      inMegabytes(manifestBytes),
      inSeconds(cold.seconds),
      inMebibytes(cold.memory),
      inSeconds(update.build.seconds),
      inMebibytes(update.build.memory),
      inSeconds(update.untilServed),
      inMilliseconds(update.p99),
      inMilliseconds(update.p99Before),
      inMebibytes(update.memory),
      inSeconds(startTime),
      inMebibytes(started),
      inMebibytes(loaded),
      inMebibytes(updated),
    ];
    return figures.map((figure) => (typeof figure === 'number' ? figure.toLocaleString('en') : figure));
  } finally {
    await stop(gateway.process);
  }
}

/** Requests random papers at full load. @returns the memory of the gateway afterwards, in bytes */
async function load(gateway: BenchGateway, folder: string, papers: readonly string[]): Promise<number> {
  const script = await writeScript(gateway, folder, papers);
  let memory = 0;
  for (let seconds = 0; seconds < fullLoad; seconds += part) {
    const output = await runPinned(['wrk', '-t1', '-c64', `-d${part}s`, '-s', script, gateway.origin]);
    if (/Non-2xx|Socket errors/.test(output)) throw new Error(output);
    memory = await memoryOf(gateway.process.pid);
    console.log(`${/\d+ requests in/.exec(output)?.[0]} ${part} s, ${inMebibytes(memory)}`);
  }
  return memory;
}

/** Writes a script for wrk that requests random papers in random content codings. */
async function writeScript(
  { roomyKey }: BenchGateway,
  folder: string,
  papers: readonly string[],
): Promise<string> {
  const file = join(folder, 'papers.lua');
  const step = Math.ceil(papers.length / mostPaths);
  const paths = papers.filter((_, index) => index % step === 0).map((path) => `"/${path}"`);
  await writeFile(
    file,
    `local paths = {${paths.join(',')}}
    local codings = {"br", "gzip", "identity"}
    math.randomseed(1)
    wrk.headers["Authorization"] = "Bearer ${roomyKey}"
    request = function()
      wrk.headers["Accept-Encoding"] = codings[math.random(3)]
      return wrk.format("GET", paths[math.random(#paths)])
    end`,
  );
  return file;
}

/** Changes one question, publishes it, and requests it under light load until it is served. */
async function publishChange(gateway: BenchGateway, content: string, build: () => Promise<Run>) {
  const before = await lightLoad(gateway, (_, seconds) => seconds > calm);
  await changeOneQuestion(content, 1);
  const built = await build();
  console.log(`${built.output}${inSeconds(built.seconds)}, ${inMebibytes(built.memory)}`);
  const { seconds, p99, memory } = await lightLoad(gateway, (etag) => etag !== before.etag);
  console.log(`served after ${inSeconds(seconds)}, p99 ${inMilliseconds(p99)}, ${inMebibytes(memory)}`);
  return { build: built, untilServed: seconds, p99, p99Before: before.p99, memory };
}

/**
 * Requests the first paper at a low rate.
 *
 * @param isEnd called with the entity tag of each response, and the seconds since the start
 * @returns the last entity tag, the seconds that it took, the 99th percentile of the latency in milliseconds, and the peak
 *   memory of the gateway and its children in bytes
 */
async function lightLoad(
  { process: { pid }, origin, roomyKey }: BenchGateway,
  isEnd: (etag: string | undefined, seconds: number) => boolean,
) {
  const agent = new Agent({ keepAlive: true });
  const headers = { Authorization: `Bearer ${roomyKey}` };
  const times: number[] = [];
  const start = performance.now();
  let etag: string | undefined;
  let seconds: number | undefined;
  let memory = 0;
  const request = async () => {
    const sent = performance.now();
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${origin}/${firstPaper}`, { agent, headers }, resolve).on('error', reject);
    });
    await buffer(response);
    const end = performance.now();
    times.push(end - sent);
    if (response.statusCode !== 200) throw new Error(`${firstPaper}: ${response.statusCode}`);
    etag = response.headers.etag;
    if (isEnd(etag, (end - start) / 1000)) seconds ??= (end - start) / 1000;
  };
  const requests: Promise<void>[] = [];
  for (let tick = 0; seconds === undefined; tick += 1) {
    if (performance.now() - start > mostDelay) throw new Error('The new release is not served.');
    requests.push(request());
    if (tick % (measured / interval) === 0) memory = Math.max(memory, await memoryOfAll(pid));
    await delay(interval);
  }
  await Promise.all(requests);
  agent.destroy();
  return { etag, seconds, p99: quantile(inOrder(times), 0.99), memory };
}

/** The resident memory of a process and its children, in bytes. */
async function memoryOfAll(pid: number | undefined): Promise<number> {
  let sum = await memoryOf(pid);
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const children = await readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '');
    for (const child of children.split(' ').filter(Boolean)) sum += await memoryOf(Number(child));
  }
  return sum;
}

/** The resident memory of a process in bytes; 0 if it has ended. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

function inMebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: bytes < 1e8 ? 1 : 0 })} MB`;
}

function inMilliseconds(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
}

function inSeconds(seconds: number): string {
  return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
}
