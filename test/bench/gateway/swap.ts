/**
 * Publishes new releases under full load, by default 20 in a minute, and counts failed and inconsistent responses. The
 * client creates the load; this process checks the responses on its own connections.
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
import { generatePapers, generateShifts, paperPath } from './generated-papers.ts';
import { throughput } from './load.ts';
import { stop } from './pinned.ts';
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
let isRunning = true;

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
  isRunning = false;
  await Promise.all(readers);
  const responses = [...seen.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${(perSecond * swaps * seconds).toFixed(0)} requests of full load, ${perSecond.toFixed(0)} a second, none failed`,
  );
  console.log(`${responses} responses of ${seen.size} releases checked: ${failed} failed, ${mixed} mixed`);
  console.log(`their latency under full load: ${percentiles(times)}`);
} finally {
  await stop(gateway.process);
  agent.destroy();
  await rm(folder, { recursive: true });
}

async function publish(release: number): Promise<void> {
  const name = `release-${release}`;
  await writeRelease(dist, name, generatePapers(papers, name), generateShifts(papers));
  await switchTo(dist, name);
  // Releases are pruned: only open files of the old one can still be read.
  if (release > 0) await rm(join(dist, `releases/release-${release - 1}`), { recursive: true });
}

/** Requests one paper after the other, and checks the consistency of each response. */
async function read(): Promise<void> {
  for (let turn = 0; isRunning; turn += 1) {
    const path = paperPath((turn * 7) % papers);
    const start = performance.now();
    const response = await request(`${gateway.origin}/${path}`).catch(() => undefined);
    times.push(performance.now() - start);
    if (response?.status !== 200) {
      failed += 1;
      continue;
    }
    const tag = `"${createHash('sha256').update(response.bytes).digest('hex').slice(0, 32)}"`;
    const content = JSON.parse(gunzipSync(response.bytes).toString());
    if (response.etag !== tag || content.path !== path) mixed += 1;
    seen.set(content.release, (seen.get(content.release) ?? 0) + 1);
    await delay(1);
  }
}

function request(
  url: string,
): Promise<{ status: number | undefined; etag: string | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const { statusCode: status, headers } = response;
      buffer(response).then((bytes) => resolve({ status, etag: headers.etag, bytes }), reject);
    }).on('error', reject);
  });
}
