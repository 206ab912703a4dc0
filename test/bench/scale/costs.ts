/** Measures what requests cost gateways, Redis, the authentication service and PostgreSQL. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { sql } from 'kysely';
import { openDatabase } from '../../../gateway/accounts/store/store.ts';
import type { Database } from '../../../gateway/accounts/store/tables.ts';
import { systemClock } from '../../../gateway/clock.ts';
import { type DatabaseLocation, redisLocation } from '../../../gateway/config-values.ts';
import { openRedis } from '../../../gateway/limits/redis.ts';
import { openLog } from '../../../gateway/log/logger.ts';
import { postgres } from '../../gateway/accounts/engines.ts';
import { type RedisServer, startRedis } from '../../gateway/limits/redis-server.ts';
import { sum } from '../figures.ts';
import { fillStore } from '../generated.ts';
import { getThrough, type Target, targetOf, throughput } from '../load.ts';
import { atEnd, inRounds, processorTime } from '../processes.ts';
import {
  type BenchGateway,
  type BenchReplicas,
  roomy,
  startBenchGateway,
  startBenchReplicas,
} from '../servers.ts';
import { type Costs, type Kind, kinds, type RequestCost } from './model.ts';

export type Servers = Awaited<ReturnType<typeof startServers>>;

/** Starts a gateway with everything embedded, and replicas with Redis and PostgreSQL as in docs/replicas.md. */
export async function startServers(folder: string, distDir: string) {
  const redis = await startRedis('--appendonly', 'yes', '--maxmemory-policy', 'noeviction');
  atEnd(() => redis.remove());
  const database = await postgres.createDatabase();
  atEnd(() => database.remove());
  const embedded = await startBenchGateway(folder, distDir);
  const replicas = await startBenchReplicas(folder, distDir, redis.url, database);
  const redisPid = Number(/process_id:(\d+)/.exec(String(await redis.ask('INFO', 'server')))?.[1]);
  return { folder, embedded, replicas, redis, redisPid, database };
}

/** The processor time that the servers have used in microseconds. */
function timesOf({ embedded, replicas, redisPid }: Servers) {
  return {
    embedded: processorTime(embedded.process.pid),
    gateways: sum(replicas.gateways.map((gateway) => processorTime(gateway.process.pid))),
    service: processorTime(replicas.service.process.pid),
    redis: processorTime(redisPid),
  };
}

/** URL paths in the release of the servers. */
export interface Paths {
  readonly metadata: string;
  readonly paper: string;
  readonly diagram: string;
}

/** Requests of a kind. */
function requestOf(
  kind: Kind,
  origin: string,
  keys: BenchReplicas | BenchGateway,
  paths: Paths,
): Promise<Target> {
  const status = Number(/\d+/.exec(kind)?.[0] ?? 200);
  const isPublic = kind.startsWith('metadata');
  const path = isPublic ? paths.metadata : kind === 'diagram' ? paths.diagram : paths.paper;
  return targetOf(status, `${origin}/${path}`, isPublic ? undefined : keys);
}

/**
 * Measures the costs of requests at full load. Each is the lowest of the rounds, because other programs on the machine
 * only add to it.
 */
export async function measureCosts(
  servers: Servers,
  paths: Paths,
  rounds: number,
  seconds: number,
): Promise<Costs> {
  const { embedded, replicas } = servers;
  const { origin = '' } = replicas.gateways[0] ?? {};
  const candidates = await Promise.all(
    kinds.map(async (kind) => {
      const one = await requestOf(kind, embedded.origin, embedded, paths);
      const other = await requestOf(kind, origin, replicas, paths);
      // The rate limit lets a first request through.
      await getThrough(false, one.url, one.headers);
      const { bytesRead } = await getThrough(false, one.url, one.headers);
      return { name: kind, one, other, bytes: bytesRead };
    }),
  );
  const measured = await inRounds(
    rounds,
    candidates,
    async ({ one, other }) => {
      const { embedded } = await costsOf(servers, one, seconds);
      return { ...(await costsOf(servers, other, seconds)), embedded };
    },
    (costs) => `${costs.embedded.toFixed(1)} and ${costs.gateways.toFixed(1)} µs`,
  );
  const requests = {} as Record<Kind, RequestCost>;
  for (const [{ name, bytes }, costs] of measured) {
    const [embedded, shared, redis] = (['embedded', 'gateways', 'redis'] as const).map((part) =>
      Math.min(...costs.map((each) => each[part])),
    ) as [number, number, number];
    // An idle Redis takes a little, too.
    requests[name] = { embedded, shared, redis: redis < 1 ? 0 : redis, bytes };
  }
  const atService = { origin, location: servers.database.location };
  const inProcess = await measureNewKeys(servers, embedded, paths, rounds);
  const apart = await measureNewKeys(servers, atService, paths, rounds);
  return {
    requests,
    keyCheck: {
      embedded: Math.max(0, inProcess.embedded - requests.paper.embedded),
      gateway: Math.max(0, apart.gateways - requests.paper.shared),
      service: apart.service,
      database: apart.database,
    },
    databaseBytes: apart.databaseBytes,
    signIn: await measureHash(),
    redisBytes: await measureAccount(servers.redis),
  };
}

type RunCosts = Record<'embedded' | 'gateways' | 'service' | 'redis' | 'rate', number>;

/**
 * Measures requests at full load: the processor time of one request in microseconds.
 *
 * @param attempts how often it is tried: a busy machine may stop for seconds, and requests fail
 */
async function costsOf(
  servers: Servers,
  target: Target,
  seconds: number,
  attempts = 3,
): Promise<RunCosts> {
  const before = timesOf(servers);
  const rate = await throughput(target, seconds).catch((error: unknown) => {
    if (attempts <= 1) throw error;
  });
  if (rate === undefined) return costsOf(servers, target, seconds, attempts - 1);
  const after = timesOf(servers);
  const perRequest = (name: keyof typeof before) => (after[name] - before[name]) / (rate * seconds);
  return {
    embedded: perRequest('embedded'),
    gateways: perRequest('gateways'),
    service: perRequest('service'),
    redis: perRequest('redis'),
    rate,
  };
}

/** Keys of one run, more than a gateway can check in it. */
const keysOfRun = 12_000;

/** Measures papers for keys that no gateway has seen, at a gateway whose keys are in a database. */
async function measureNewKeys(
  servers: Servers,
  { origin, location }: { readonly origin: string; readonly location: DatabaseLocation },
  { paper }: Paths,
  rounds: number,
) {
  const isPostgres = location.kind === 'postgres';
  const database = await openDatabase(location);
  const count = keysOfRun * (rounds + 1);
  const keys = await fillStore(database, count, count);
  await sql`analyze`.execute(database);
  const measured: (RunCosts & { readonly database: number })[] = [];
  let failure: unknown;
  for (let round = 0; round <= rounds; round += 1) {
    const script = join(servers.folder, 'keys.lua');
    const some = keys.slice(round * keysOfRun, (round + 1) * keysOfRun).map((key) => `"${key}"`);
    await writeFile(
      script,
      `local keys = {${some.join(',')}}
      local sent = 0
      request = function()
        sent = sent + 1
        wrk.headers["Authorization"] = "Bearer " .. keys[sent]
        return wrk.format()
      end`,
    );
    const target = { ...(await targetOf(200, `${origin}/${paper}`, undefined)), script };
    const before = isPostgres ? await timeOfDatabase(database) : 0;
    // One second: a longer run needs more keys.
    const costs = await costsOf(servers, target, 1, 1).catch((error: unknown) => {
      failure = error;
    });
    const inDatabase = isPostgres ? (await timeOfDatabase(database)) - before : 0;
    // The first round is the warm-up.
    if (costs && round > 0) measured.push({ ...costs, database: inDatabase / costs.rate });
  }
  const databaseBytes = isPostgres ? (await sizeOfKeys(database)) / count : 0;
  await database.destroy();
  const busy = ({ embedded, gateways, service }: RunCosts) => embedded + gateways + service;
  const [lowest] = measured.sort((one, other) => busy(one) - busy(other));
  if (lowest === undefined) throw failure;
  return { ...lowest, databaseBytes };
}

/** The bytes of the table of keys, with its indexes. */
async function sizeOfKeys(database: Database): Promise<number> {
  const query = sql<{ bytes: string }>`select pg_total_relation_size('keys') as bytes`;
  return Number((await query.execute(database)).rows[0]?.bytes);
}

/** The processor time of all connections to a database, on this machine. */
async function timeOfDatabase(database: Database): Promise<number> {
  const query = sql<{
    pid: number;
  }>`select pid from pg_stat_activity where datname = current_database()`;
  return sum((await query.execute(database)).rows.map(({ pid }) => processorTime(pid)));
}

/** The processor time of a sign-in. */
async function measureHash(): Promise<number> {
  const password = 'a phrase of five words';
  const hash = await hashPassword(password);
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage();
    await verifyPassword({ hash, password });
    const { user, system } = process.cpuUsage(before);
    times.push(user + system);
  }
  return Math.min(...times);
}

/** The bytes of an account in Redis that uses a key on each day of a month. */
async function measureAccount(redis: RedisServer): Promise<number> {
  let day = 1;
  const clock = { ...systemClock, now: () => Date.UTC(2026, 0, day) };
  const parts = { location: redisLocation(redis.url), clock, log: openLog('error') };
  const { limits, close } = await openRedis(parts);
  for (; day <= 31; day += 1) {
    for (let request = 0; request < 33; request += 1)
      await limits.take('acc_0123456789ab', roomy, 'key_0123456789ab');
  }
  await close();
  return Number(await redis.ask('MEMORY', 'USAGE', 'pastpaper:{acc_0123456789ab}:2026-01'));
}
