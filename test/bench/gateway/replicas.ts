/**
 * Compares the throughput of two gateways that share limits in Redis with one that has everything embedded, and measures
 * the cost of Redis per request. Each is measured in every round. With fewer than four cores, processes share some.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../gateway/clock.ts';
import { redisLocation } from '../../../gateway/config-values.ts';
import { openSharedLimits } from '../../../gateway/limits/redis/shared-limits.ts';
import { openLog } from '../../../gateway/log/logger.ts';
import { type RedisServer, startRedis } from '../../gateway/limits/redis-server.ts';
import { switchTo, writeRelease } from '../../gateway/release/write-release.ts';
import { inOrder, latencies, quantile } from '../figures.ts';
import { generatePapers, generateShifts, paperPath } from './generated-papers.ts';
import { client, throughput } from './load.ts';
import { stop } from './pinned.ts';
import { roomy, startBenchGateway } from './running-bench-gateway.ts';
import { startBenchReplicas } from './running-bench-replicas.ts';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 5);
/** Seconds of warm-up. */
const warmUp = Math.min(4, seconds);
const requestsAlone = 5_000;
const requestsConcurrent = 200_000;
/** Concurrent requests that wait for Redis. */
const concurrency = 64;

const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
const cleanups: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })];
try {
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${client}`);
  const redis = await startRedis();
  cleanups.push(() => redis.remove());
  await measureRedis(redis);
  await measureReplicas(redis);
} finally {
  for (const finish of cleanups.reverse()) await finish();
}

async function measureReplicas(redis: RedisServer): Promise<void> {
  const dist = join(folder, 'dist');
  await writeRelease(dist, 'bench', generatePapers(3, 'bench'), generateShifts(3));
  await switchTo(dist, 'bench');
  const embedded = await startBenchGateway(folder, dist);
  cleanups.push(() => stop(embedded.process));
  const replicas = await startBenchReplicas(folder, dist, redis.url, 2);
  for (const child of [replicas.service, ...replicas.gateways]) cleanups.push(() => stop(child));

  const targetOf = (origin: string, key: string) => ({
    url: `${origin}/${paperPath(0)}`,
    headers: { 'Accept-Encoding': 'gzip', Authorization: `Bearer ${key}` },
    status: 200,
  });
  const all = [
    { name: 'one, embedded', targets: [targetOf(embedded.origin, embedded.roomyKey)] },
    {
      name: 'one on Redis',
      targets: replicas.origins.slice(1).map((each) => targetOf(each, replicas.roomyKey)),
    },
    { name: 'two on Redis', targets: replicas.origins.map((each) => targetOf(each, replicas.roomyKey)) },
  ].map((candidate) => ({ ...candidate, rates: [] as number[] }));
  for (let round = -1; round < rounds; round += 1) {
    for (const [index] of all.entries()) {
      const next = all[(index + round + 1) % all.length];
      if (!next) continue;
      const each = next.targets.map((target) => throughput(target, round < 0 ? warmUp : seconds));
      const rate = (await Promise.all(each)).reduce((sum, one) => sum + one, 0);
      if (round >= 0) next.rates.push(rate);
    }
    if (round >= 0) {
      const figures = all.map(({ name, rates }) => `${name} ${rates.at(-1)?.toFixed(0)}`);
      console.log(`round ${round + 1} of ${rounds}: ${figures.join('; ')}`);
    }
  }
  const [first] = all;
  const base = quantile(inOrder(first?.rates ?? []), 0.5);
  for (const { name, rates } of all) {
    const median = quantile(inOrder(rates), 0.5);
    console.log(
      `${name.padEnd(14)} ${median.toFixed(0)} requests/s, ${(median / base).toFixed(2)} of the first`,
    );
  }
}

/** Measures a decision in Redis, without HTTP. */
async function measureRedis(redis: RedisServer): Promise<void> {
  const parts = { location: redisLocation(redis.url), clock: systemClock, log: openLog('info') };
  const { limits, close } = await openSharedLimits(parts);
  const times: number[] = [];
  for (let request = 0; request < requestsAlone; request += 1) {
    const start = performance.now();
    await limits.take('alone', roomy);
    times.push(performance.now() - start);
  }
  const before = { own: process.cpuUsage(), redis: await processorTime(redis), now: performance.now() };
  const each = Math.floor(requestsConcurrent / concurrency);
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let request = 0; request < each; request += 1) await limits.take('together', roomy);
    }),
  );
  const elapsed = performance.now() - before.now;
  const own = process.cpuUsage(before.own);
  const inRedis = (await processorTime(redis)) - before.redis;
  const share = (microseconds: number) => `${(microseconds / (each * concurrency)).toFixed(1)} µs`;
  console.log(`a decision in Redis, one at a time: ${latencies(times)}`);
  console.log(
    `${concurrency} at a time: ${(((each * concurrency) / elapsed) * 1000).toFixed(0)} a second; a request's share is ${share(own.user + own.system)} of the gateway's core and ${share(inRedis)} of Redis's`,
  );
  if (limits.decidedAlone > 0) throw new Error('Redis did not keep up');
  await close();
}

/** The processor time of Redis in microseconds. */
async function processorTime(redis: RedisServer): Promise<number> {
  const info = String(await redis.ask('INFO', 'cpu'));
  const [user, system] = ['user', 'sys'].map((kind) =>
    Number(new RegExp(`used_cpu_${kind}:([\\d.]+)`).exec(info)?.[1]),
  );
  return ((user ?? 0) + (system ?? 0)) * 1e6;
}
