/**
 * Publishes new releases under full load, by default 20 in a minute, and counts failed and inconsistent responses. The
 * client creates the load; this process checks the responses on its own connections. Arguments: releases, and papers.
 */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { conditions, sum } from '../figures.ts';
import { paperPath, publishPapers } from '../generated.ts';
import { targetOf, throughput } from '../load.ts';
import { runBench } from '../processes.ts';
import { startBenchGateway } from '../servers.ts';

const swaps = Number(process.argv[2] ?? 20);
const papers = Number(process.argv[3] ?? 60);
/** Seconds between two releases. */
const interval = 3;
const connections = 4;

await runBench(async (folder) => {
  const dist = join(folder, 'dist');
  const publish = async (release: number) => {
    await publishPapers(dist, `release-${release}`, papers);
    // Releases are pruned: only open files of the old one can still be read.
    if (release > 0) await rm(join(dist, `releases/release-${release - 1}`), { recursive: true });
  };
  await publish(0);
  const gateway = await startBenchGateway(folder, dist);
  const target = await targetOf(200, `${gateway.origin}/${paperPath(0)}`, gateway);
  const seen = new Map<string, number>();
  let [failed, mixed, isRunning] = [0, 0, true];
  console.log(`${swaps} swaps in ${swaps * interval} s of full load, ${papers} papers, ${conditions()}`);

  /** Requests one paper after the other, and checks the consistency of each response. */
  async function read(): Promise<void> {
    for (let turn = 0; isRunning; turn += 1) {
      const path = paperPath((turn * 7) % papers);
      const headers = { Authorization: `Bearer ${gateway.roomyKey}`, 'Accept-Encoding': 'identity' };
      const response = await fetch(`${gateway.origin}/${path}`, { headers }).catch(() => undefined);
      const body = await response?.arrayBuffer().catch(() => undefined);
      if (response?.status === 200 && body) {
        const bytes = Buffer.from(body);
        const tag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
        const content = JSON.parse(bytes.toString());
        if (response.headers.get('etag') !== tag || content.path !== path) mixed += 1;
        seen.set(content.release, (seen.get(content.release) ?? 0) + 1);
        await delay(1);
      } else failed += 1;
    }
  }

  const load = throughput(target, swaps * interval);
  const readers = Array.from({ length: connections }, read);
  for (let swap = 1; swap <= swaps; swap += 1) {
    await publish(swap);
    await delay(interval * 1000);
  }
  const perSecond = await load;
  isRunning = false;
  await Promise.all(readers);
  console.log(
    `${(perSecond * swaps * interval).toFixed(0)} requests of full load, ${perSecond.toFixed(0)} a second, none failed`,
  );
  const responses = sum(seen.values());
  console.log(`${responses} responses of ${seen.size} releases checked: ${failed} failed, ${mixed} mixed`);
});
