/**
 * Measures large banks from build to response: the first build, the release, the start of a gateway, requests for random
 * papers, and a new release with one changed question. Arguments: sizes of the bank as QUESTIONS or QUESTIONSxPER_PAPER.
 */
import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readCurrent } from '../../../build/release/read.ts';
import { resourcesOf } from '../../build/release-folder.ts';
import { objectsOf } from '../../build/verified-release.ts';
import {
  bytesOf,
  conditions,
  mebibytes,
  ms,
  putIntoDocs,
  quantile,
  seconds,
  sum,
  table,
} from '../figures.ts';
import { buildBank, changeOneQuestion, paperPath, writeLargeBank } from '../generated.ts';
import { getThrough } from '../load.ts';
import { memoryOf, memoryOfAll, type Run, runBench, runPinned, stop } from '../processes.ts';
import { type BenchGateway, startBenchGateway } from '../servers.ts';

const sizes = process.argv.slice(2);
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

/** The cells of a column of the table, with their titles. */
type Column = readonly (readonly [title: string, cell: string])[];

const columns: Column[] = [];
for (const size of sizes.length > 0 ? sizes : ['1000000']) {
  const [questions = 0, perPaper] = size.split('x').map(Number);
  await runBench(async (folder) => void columns.push(await measure(folder, questions, perPaper)));
  const [head = [], ...rows] = (columns[0] ?? []).map(([title], index) => [
    title,
    ...columns.map((column) => column[index]?.[1] ?? ''),
  ]);
  const text = `${conditions()}, a cache of ${mebibytes(cacheBytes)}:\n\n${table(head, rows)}`;
  await putIntoDocs('memory', text);
}

async function measure(folder: string, questions: number, perPaper?: number): Promise<Column> {
  const [content, dist] = [join(folder, 'bank'), join(folder, 'dist')];
  const bank = await writeLargeBank(content, questions, perPaper);
  console.log(`\n${bank.questions} questions in ${bank.files} files, ${bytesOf(bank.bytes)}`);
  const build = async () => {
    const built = await buildBank(content, dist, join(folder, 'data'));
    console.log(`${built.output}${seconds(built.seconds)}, ${mebibytes(built.memory)}`);
    return built;
  };
  const cold = await build();
  const { root } = await readCurrent(dist);
  const papers = [...(await resourcesOf(dist)).keys()].filter((path) => !(path in root.public));
  const sizes = [...(await objectsOf(dist)).values()];
  const settings = { CACHE_BYTES: String(cacheBytes) };
  const start = performance.now();
  const gateway = await startBenchGateway(folder, dist, { settings });
  const startTime = (performance.now() - start) / 1000;
  const started = memoryOf(gateway.process.pid);
  console.log(`started in ${seconds(startTime)}, ${mebibytes(started)}`);
  const loaded = await load(gateway, folder, papers);
  const update = await publishChange(gateway, content, build);
  const updated = memoryOf(gateway.process.pid);
  await stop(gateway.process);
  return [
    ['questions', bank.questions.toLocaleString('en')],
    ['questions a paper', String(bank.questions / papers.length)],
    ['papers', papers.length.toLocaleString('en')],
    ['release, objects', sizes.length.toLocaleString('en')],
    ['release, size', bytesOf(sum(sizes))],
    ['root', bytesOf(JSON.stringify(root).length)],
    ['first build', seconds(cold.seconds)],
    ['its memory', mebibytes(cold.memory)],
    ['build, one question changed', seconds(update.build.seconds)],
    ['its memory', mebibytes(update.build.memory)],
    ['from then until it is served', seconds(update.seconds)],
    ['p99 meanwhile', ms(update.p99)],
    ['p99 before', ms(update.p99Before)],
    ['peak memory of the gateway meanwhile', mebibytes(update.memory)],
    ['start of the gateway', seconds(startTime)],
    ['its memory after the start', mebibytes(started)],
    ['after full load', mebibytes(loaded)],
    ['after the new release', mebibytes(updated)],
  ];
}

/** Requests random papers in random content codings at full load. @returns the memory of the gateway afterwards */
async function load(
  gateway: BenchGateway,
  folder: string,
  papers: readonly string[],
): Promise<number> {
  const script = join(folder, 'papers.lua');
  const step = Math.ceil(papers.length / mostPaths);
  const paths = papers.filter((_, index) => index % step === 0).map((path) => `"/${path}"`);
  await writeFile(
    script,
    `local paths = {${paths.join(',')}}
    local codings = {"br", "gzip", "identity"}
    math.randomseed(1)
    wrk.headers["Authorization"] = "Bearer ${gateway.roomyKey}"
    request = function()
      wrk.headers["Accept-Encoding"] = codings[math.random(3)]
      return wrk.format("GET", paths[math.random(#paths)])
    end`,
  );
  let memory = 0;
  for (let seconds = 0; seconds < fullLoad; seconds += part) {
    const output = await runPinned([
      'wrk',
      '-t1',
      '-c64',
      `-d${part}s`,
      '-s',
      script,
      gateway.origin,
    ]);
    if (/Non-2xx|Socket errors/.test(output)) throw new Error(output);
    memory = memoryOf(gateway.process.pid);
    console.log(`${/\d+ requests in/.exec(output)?.[0]} ${part} s, ${mebibytes(memory)}`);
  }
  return memory;
}

/** Changes one question, publishes it, and requests it under light load until it is served. */
async function publishChange(gateway: BenchGateway, content: string, build: () => Promise<Run>) {
  const before = await lightLoad(gateway, (_, elapsed) => elapsed > calm);
  await changeOneQuestion(content, 1);
  const built = await build();
  const after = await lightLoad(gateway, (etag) => etag !== before.etag);
  console.log(
    `served after ${seconds(after.seconds)}, p99 ${ms(after.p99)}, ${mebibytes(after.memory)}`,
  );
  return { ...after, build: built, p99Before: before.p99 };
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
    const response = await getThrough(agent, `${origin}/${paperPath(0)}`, headers);
    const end = performance.now();
    times.push(end - sent);
    if (response.status !== 200) throw new Error(`${paperPath(0)}: ${response.status}`);
    etag = response.etag;
    if (isEnd(etag, (end - start) / 1000)) seconds ??= (end - start) / 1000;
  };
  const requests: Promise<void>[] = [];
  for (let tick = 0; seconds === undefined; tick += 1) {
    if (performance.now() - start > mostDelay) throw new Error('The new release is not served.');
    requests.push(request());
    if (tick % (measured / interval) === 0) memory = Math.max(memory, memoryOfAll(pid));
    await delay(interval);
  }
  await Promise.all(requests);
  agent.destroy();
  return { etag, seconds, p99: quantile(times, 0.99), memory };
}
