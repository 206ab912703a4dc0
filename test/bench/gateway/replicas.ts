/**
 * Compares the throughput of two gateways that share limits in Redis with one that has everything embedded, and measures
 * the cost of Redis per request. Each is measured in every round. With fewer than four cores, processes share some.
 * Arguments: rounds, and seconds of each.
 */
import { join } from 'node:path';
import { realSystem } from '../../../gateway/clock.ts';
import { redisLocation } from '../../../gateway/config-values.ts';
import { openRedis } from '../../../gateway/limits/redis.ts';
import { openLog } from '../../../gateway/log/logger.ts';
import { type RedisServer, startRedis } from '../../gateway/limits/redis-server.ts';
import { conditions, latencies, median, sum } from '../figures.ts';
import { paperPath, publishPapers } from '../generated.ts';
import { client, targetOf, throughput } from '../load.ts';
import { atEnd, inRounds, runBench } from '../processes.ts';
import { roomy, startBenchGateway, startBenchReplicas } from '../servers.ts';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 5);
const requestsAlone = 5_000;
/** Concurrent requests that wait for Redis, and how many each of them is followed by. */
const [concurrency, requestsEach] = [64, 3_000];

await runBench(async (folder) => {
  console.log(`${conditions()}, ${client}`);
  const redis = await startRedis();
  atEnd(() => redis.remove());
  await measureRedis(redis);
  await measureReplicas(folder, redis);
});

async function measureReplicas(folder: string, redis: RedisServer): Promise<void> {
  const dist = join(folder, 'dist');
  await publishPapers(dist, 'bench', 3);
  const embedded = await startBenchGateway(folder, dist);
  const replicas = await startBenchReplicas(folder, dist, redis.url);
  const candidate = async (
    name: string,
    servers: readonly { readonly origin: string }[],
    keys = replicas,
  ) => {
    const targets = servers.map(({ origin }) => targetOf(200, `${origin}/${paperPath(0)}`, keys));
    return { name, targets: await Promise.all(targets) };
  };
  const all = [
    await candidate('one, embedded', [embedded], { ...replicas, ...embedded }),
    await candidate('one on Redis', replicas.gateways.slice(1)),
    await candidate('two on Redis', replicas.gateways),
  ];
  const measured = await inRounds(
    rounds,
    all,
    async ({ targets }) =>
      sum(await Promise.all(targets.map((target) => throughput(target, seconds)))),
    (rate) => rate.toFixed(0),
  );
  const rates = [...measured].map(([{ name }, each]) => [name, median(each)] as const);
  for (const [name, rate] of rates)
    console.log(
      `${name.padEnd(14)} ${rate.toFixed(0)} requests/s, ${(rate / (rates[0]?.[1] ?? 1)).toFixed(2)} of the first`,
    );
}

/** Measures a decision in Redis, without HTTP. */
async function measureRedis(redis: RedisServer): Promise<void> {
  const parts = { location: redisLocation(redis.url), clock: realSystem, log: openLog('info') };
  const { limits, close } = await openRedis(parts);
  const times: number[] = [];
  for (let request = 0; request < requestsAlone; request += 1) {
    const start = performance.now();
    await limits.take('alone', roomy);
    times.push(performance.now() - start);
  }
  const before = { own: process.cpuUsage(), redis: await timeOf(redis), now: performance.now() };
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let request = 0; request < requestsEach; request += 1)
        await limits.take('together', roomy);
    }),
  );
  const elapsed = performance.now() - before.now;
  const { user, system } = process.cpuUsage(before.own);
  const inRedis = (await timeOf(redis)) - before.redis;
  const requests = concurrency * requestsEach;
  const share = (microseconds: number) => `${(microseconds / requests).toFixed(1)} µs`;
  console.log(`a decision in Redis, one at a time: ${latencies(times)}`);
  console.log(
    `${concurrency} at a time: ${((requests / elapsed) * 1000).toFixed(0)} a second; a request's share is ${share(user + system)} of the gateway's core and ${share(inRedis)} of Redis's`,
  );
  if (limits.decidedAlone > 0) throw new Error('Redis did not keep up');
  await close();
}

/** The processor time of Redis in microseconds. */
async function timeOf(redis: RedisServer): Promise<number> {
  const info = String(await redis.ask('INFO', 'cpu'));
  return (
    1e6 * sum(['user', 'sys'].map((kind) => Number(info.match(`used_cpu_${kind}:([\\d.]+)`)?.[1])))
  );
}
