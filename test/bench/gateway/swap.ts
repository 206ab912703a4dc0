/**
 * New releases under full load: how many answers failed, and how many did not belong together, while one release took
 * the place of another twenty times in a minute. Load is what the client can make; beside it, connections of this process
 * hold every answer against itself.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { switchTo, writeRelease } from '../../gateway/release/write-release.ts';
import { latencies as percentiles } from '../figures.ts';
import { throughput } from './load.ts';
import { madePapers, madeShifts, paperPath } from './made-papers.ts';
import { end } from './pinned.ts';
import { startBenchGateway } from './running-bench-gateway.ts';

const swaps = Number(process.argv[2] ?? 20);
const papers = Number(process.argv[3] ?? 60);
const seconds = 3;
const connections = 4;

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const dist = join(folder, 'dist');
const agent = new Agent({ keepAlive: true });
await publish(0);
const gateway = await startBenchGateway(folder, dist);
const headers = { Authorization: `Bearer ${gateway.roomyKey}`, 'Accept-Encoding': 'gzip' };
const seen = new Map<string, number>();
const times: number[] = [];
let failed = 0;
let mixed = 0;
let going = true;

console.log(
  `${swaps} swaps in ${swaps * seconds} s of full load, ${papers} papers, Node ${process.version}, ${availableParallelism()} cores`,
);
try {
  const load = throughput(
    { url: `${gateway.origin}/${paperPath(0)}`, headers, status: 200 },
    swaps * seconds,
  );
  const readers = Array.from({ length: connections }, read);
  for (let swap = 1; swap <= swaps; swap += 1) {
    await publish(swap);
    await delay(seconds * 1000);
  }
  const perSecond = await load;
  going = false;
  await Promise.all(readers);
  const answers = [...seen.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${(perSecond * swaps * seconds).toFixed(0)} requests of full load, ${perSecond.toFixed(0)} a second, none failed`,
  );
  console.log(
    `${answers} answers of ${seen.size} releases held against themselves: ${failed} failed, ${mixed} mixed`,
  );
  console.log(`their latency under full load: ${percentiles(times)}`);
} finally {
  await end(gateway.process);
  agent.destroy();
  await rm(folder, { recursive: true });
}

async function publish(release: number): Promise<void> {
  const name = `release-${release}`;
  await writeRelease(dist, name, madePapers(papers, name), madeShifts(papers));
  await switchTo(dist, name);
  // Releases are pruned: of the old one, only what is open can still be read.
  if (release > 0) await rm(join(dist, `releases/release-${release - 1}`), { recursive: true });
}

/** Asks for one paper after the other, and holds each answer against itself. */
async function read(): Promise<void> {
  for (let turn = 0; going; turn += 1) {
    const path = paperPath((turn * 7) % papers);
    const start = performance.now();
    const answer = await ask(`${gateway.origin}/${path}`).catch(() => undefined);
    times.push(performance.now() - start);
    if (answer?.status !== 200) {
      failed += 1;
      continue;
    }
    const tag = `"${createHash('sha256').update(answer.bytes).digest('hex').slice(0, 32)}"`;
    const content = JSON.parse(gunzipSync(answer.bytes).toString());
    if (answer.etag !== tag || content.path !== path) mixed += 1;
    seen.set(content.release, (seen.get(content.release) ?? 0) + 1);
    await delay(1);
  }
}

function ask(url: string): Promise<{ status: number | undefined; etag: string | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (answer) => {
      const { statusCode: status, headers } = answer;
      buffer(answer).then((bytes) => resolve({ status, etag: headers.etag, bytes }), reject);
    }).on('error', reject);
  });
}
