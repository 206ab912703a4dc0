/**
 * Measures large banks from build to response: the first build, the release, the memory of a gateway, and a new release with
 * one changed question under light load. Argument: number of questions.
 */
import { join } from 'node:path';
import { resourcesOf } from '../../build/release-folder.ts';
import { objectsOf } from '../../build/verified-release.ts';
import { bytesOf, conditions, mebibytes, ms, quantile, seconds, sum, table } from '../figures.ts';
import { buildBank, changeOneQuestion, paperPath, writeLargeBank } from '../generated.ts';
import { atFixedRate, targetOf } from '../load.ts';
import { memoryOf, runBench, stop } from '../processes.ts';
import { type BenchGateway, startBenchGateway } from '../servers.ts';

const questions = Number(process.argv[2] ?? 1_000_000);
/** Milliseconds between two requests of light load. */
const interval = 10;
/** Seconds of light load before the release. */
const calm = 5;

await runBench(async (folder) => {
  const rows = await measure(folder);
  console.log(`\n${conditions()}:\n\n${table(['', ''], rows)}`);
});

async function measure(folder: string) {
  const [content, dist] = [join(folder, 'bank'), join(folder, 'dist')];
  const bank = await writeLargeBank(content, questions);
  console.log(`\n${bank.questions} questions in ${bank.files} files, ${bytesOf(bank.bytes)}`);
  const build = () => buildBank(content, dist, join(folder, 'data'));
  const cold = await build();
  const objects = [...(await objectsOf(dist)).values()];
  const gateway = await startBenchGateway(folder, dist);
  const started = memoryOf(gateway.process.pid);
  const before = await lightLoad(gateway, (_, elapsed) => elapsed > calm);
  await changeOneQuestion(content, 1);
  const edit = await build();
  const after = await lightLoad(gateway, (etag) => etag !== before.etag);
  await stop(gateway.process);
  return [
    ['questions', bank.questions.toLocaleString('en')],
    ['papers', bank.papers.toLocaleString('en')],
    ['responses', (await resourcesOf(dist)).size.toLocaleString('en')],
    ['release', bytesOf(sum(objects))],
    ['first build', seconds(cold.seconds)],
    ['its memory', mebibytes(cold.memory)],
    ['build, one question changed', seconds(edit.seconds)],
    ['its memory', mebibytes(edit.memory)],
    ['from then until it is served', seconds(after.seconds)],
    ['p99 meanwhile', ms(after.p99)],
    ['p99 before', ms(before.p99)],
    ['memory of the gateway after the start', mebibytes(started)],
    ['before the new release', mebibytes(before.memory)],
    ['at most, until it is served', mebibytes(after.memory)],
  ];
}

/**
 * Requests the first paper at a low rate.
 *
 * @param isEnd called with the entity tag of each response, and the seconds since the start
 * @returns the last entity tag, the seconds that it took, the 99th percentile of the latency in milliseconds, and the peak
 *   memory of the gateway in bytes
 */
async function lightLoad(
  { process: { pid }, origin, roomyKey }: BenchGateway,
  isEnd: (etag: string | undefined, seconds: number) => boolean,
) {
  let memory = 0;
  const target = targetOf(`${origin}/${paperPath(0)}`, roomyKey);
  const { latencies, seconds, etag } = await atFixedRate(target, interval, (tag, time) => {
    memory = Math.max(memory, memoryOf(pid));
    return isEnd(tag, time);
  });
  return { etag, seconds, p99: quantile(latencies, 0.99), memory };
}
