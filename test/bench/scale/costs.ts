import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { sql } from 'kysely';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import type { Database } from '../../../gateway/auth/store/tables.ts';
import { systemClock } from '../../../gateway/clock.ts';
import { type DatabaseLocation, redisLocation } from '../../../gateway/config-values.ts';
import { monthName } from '../../../gateway/limits/redis/scripts.ts';
import { openSharedLimits } from '../../../gateway/limits/redis/shared-limits.ts';
import { openLog } from '../../../gateway/log/logger.ts';
import { postgres, type TestDatabase } from '../../gateway/auth/engines.ts';
import { type RedisServer, startRedis } from '../../gateway/limits/redis-server.ts';
import { type Target, throughput } from '../gateway/load.ts';
import { stop } from '../gateway/pinned.ts';
import { type BenchGateway, roomy, startBenchGateway } from '../gateway/running-bench-gateway.ts';
import { type BenchReplicas, startBenchReplicas } from '../gateway/running-bench-replicas.ts';
import { fillStore } from '../many-keys.ts';
import { exactTime, machineTime, processorTime } from '../processor-time.ts';
import { type Costs, type Kind, kinds, type RequestCost } from './model.ts';

/** A gateway with everything embedded, and replicas with Redis and PostgreSQL, as docs/replicas.md sets them up. */
export interface Servers {
  readonly embedded: BenchGateway;
  readonly replicas: BenchReplicas;
  readonly redis: RedisServer;
  readonly redisPid: number;
  readonly database: TestDatabase;
  close(): Promise<void>;
}

/** Starts two replicas and a gateway on the release in `dist`. */
export async function startServers(distDir: string): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
  const redis = await startRedis('--appendonly', 'yes', '--maxmemory-policy', 'noeviction');
  const database = await postgres.createDatabase();
  const embedded = await startBenchGateway(folder, distDir);
  const replicas = await startBenchReplicas(folder, distDir, redis.url, 2, database);
  const redisPid = Number(/process_id:(\d+)/.exec(String(await redis.ask('INFO', 'server')))?.[1]);
  return {
    embedded,
    replicas,
    redis,
    redisPid,
    database,
    async close() {
      for (const child of [embedded.process, ...replicas.gateways, replicas.service]) await stop(child);
      await redis.remove();
      await database.remove();
      await rm(folder, { recursive: true });
    },
  };
}

/** The processor time that the servers have used in microseconds, and that of clients that have ended. */
export function timesOf({ embedded, replicas, redisPid }: Servers) {
  return {
    embedded: exactTime(embedded.process.pid),
    gateways: replicas.gateways.reduce((sum, { pid }) => sum + exactTime(pid), 0),
    service: exactTime(replicas.service.pid),
    redis: exactTime(redisPid),
    clients: processorTime('self').ofChildren,
  };
}

/** URL paths in the release of the servers. */
export interface Paths {
  readonly metadata: string;
  readonly paper: string;
  readonly diagram: string;
}

const statuses: Readonly<Record<Kind, number>> = {
  metadata: 200,
  metadata304: 304,
  paper: 200,
  paper304: 304,
  diagram: 200,
  '401': 401,
  '429': 429,
};

/** A request of a kind to a gateway. */
export async function targetOf(
  kind: Kind,
  origin: string,
  { roomyKey, tightKey }: Pick<BenchGateway, 'roomyKey' | 'tightKey'>,
  paths: Paths,
): Promise<Target> {
  const path = kind.startsWith('metadata')
    ? paths.metadata
    : kind === 'diagram'
      ? paths.diagram
      : paths.paper;
  const url = `${origin}/${path}`;
  const key = kind === '401' ? 'Basic eDp5' : `Bearer ${kind === '429' ? tightKey : roomyKey}`;
  const headers = {
    'Accept-Encoding': 'gzip',
    ...(!kind.startsWith('metadata') && { Authorization: key }),
  };
  if (statuses[kind] !== 304) return { url, headers, status: statuses[kind] };
  const { etag } = await responseOf({ url, headers, status: 200 });
  return { url, headers: { ...headers, 'If-None-Match': etag }, status: 304 };
}

/** Sends a request on a new connection. @returns the bytes that the server has sent, and the entity tag */
async function responseOf({ url, headers }: Target): Promise<{ bytes: number; etag: string }> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (response) => {
      const { socket } = response;
      response.resume().on('end', () => {
        resolve({ bytes: socket.bytesRead, etag: response.headers.etag ?? '' });
      });
    }).on('error', reject);
  });
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
  const requests = new Map<Kind, RequestCost>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const kind of kinds) {
      const one = await targetOf(kind, embedded.origin, embedded, paths);
      const other = await targetOf(kind, replicas.origins[0] ?? '', replicas, paths);
      // The rate limit lets a first request through.
      await responseOf(one);
      const { bytes } = await responseOf(one);
      const inProcess = await costsOf(servers, [one], seconds);
      const inRedis = await costsOf(servers, [other], seconds);
      const measured = {
        embedded: inProcess.embedded,
        shared: inRedis.gateways,
        // An idle Redis takes a little, too.
        redis: inRedis.redis < 1 ? 0 : inRedis.redis,
        bytes,
      };
      // The first round is the warm-up.
      if (round > 0) requests.set(kind, lowest(measured, requests.get(kind)));
      else continue;
      console.log(
        `round ${round} of ${rounds}, ${kind}: ${measured.embedded.toFixed(1)} µs; on Redis ${measured.shared.toFixed(1)} µs and ${measured.redis.toFixed(1)} µs there`,
      );
    }
  }
  return {
    requests: Object.fromEntries(requests) as Costs['requests'],
    ...(await measureKeyChecks(servers, paths, requests.get('paper'), rounds)),
    signIn: await measureHash(),
    redisBytes: await measureAccount(servers.redis),
  };
}

function lowest(one: RequestCost, other = one): RequestCost {
  return {
    embedded: Math.min(one.embedded, other.embedded),
    shared: Math.min(one.shared, other.shared),
    redis: Math.min(one.redis, other.redis),
    bytes: one.bytes,
  };
}

/** What a run at full load takes. */
export interface RunCosts extends Readonly<Record<keyof ReturnType<typeof timesOf>, number>> {
  /** Requests per second. */
  readonly rate: number;
  /** Cores that the servers and clients used, and those that other programs used. */
  readonly own: number;
  readonly others: number;
}

/**
 * Measures requests at full load, with a client for each target: the processor time of one request in microseconds.
 *
 * @param attempts how often it is tried: a busy machine may stop for seconds, and requests fail
 */
export async function costsOf(
  servers: Servers,
  targets: readonly Target[],
  seconds: number,
  attempts = 3,
): Promise<RunCosts> {
  const before = { ...timesOf(servers), machine: machineTime(), self: exactTime('self') };
  const start = performance.now();
  const runs = await Promise.allSettled(targets.map((target) => throughput(target, seconds)));
  const rates = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []));
  const failed = runs.find((run) => run.status === 'rejected');
  if (failed && attempts <= 1) throw failed.reason;
  if (failed) return costsOf(servers, targets, seconds, attempts - 1);
  const elapsed = (performance.now() - start) * 1000;
  const after = { ...timesOf(servers), machine: machineTime(), self: exactTime('self') };
  const rate = rates.reduce((sum, each) => sum + each, 0);
  const used = (name: keyof typeof before) => after[name] - before[name];
  const perRequest = (name: keyof typeof before) => used(name) / (rate * seconds);
  const parts = ['embedded', 'gateways', 'service', 'redis', 'clients'] as const;
  const own = parts.reduce((sum, name) => sum + used(name), 0);
  return {
    embedded: perRequest('embedded'),
    gateways: perRequest('gateways'),
    service: perRequest('service'),
    redis: perRequest('redis'),
    clients: perRequest('clients'),
    rate,
    // Starting a client takes time, but hardly any of the servers.
    own: own / (seconds * 1e6),
    others: Math.max(0, used('machine') - own - used('self')) / elapsed,
  };
}

/** Keys of one run, more than a gateway can check in it. */
const keysOfRun = 12_000;

/** Measures papers for keys that no gateway has seen. */
async function measureKeyChecks(
  servers: Servers,
  paths: Paths,
  paper: RequestCost | undefined,
  rounds: number,
): Promise<Pick<Costs, 'keyCheck' | 'databaseBytes'>> {
  const { embedded, replicas } = servers;
  // One second each: a longer run needs more keys.
  const inProcess = await measureNewKeys(servers, embedded, paths, rounds);
  const [origin = ''] = replicas.origins;
  const atService = await measureNewKeys(
    servers,
    { origin, location: servers.database.location },
    paths,
    rounds,
  );
  return {
    keyCheck: {
      embedded: Math.max(0, inProcess.embedded - (paper?.embedded ?? 0)),
      gateway: Math.max(0, atService.gateways - (paper?.shared ?? 0)),
      service: atService.service,
      database: atService.database,
    },
    databaseBytes: atService.databaseBytes,
  };
}

/** Sends requests with another key each to a gateway, whose keys are in a database. */
async function measureNewKeys(
  servers: Servers,
  { origin, location }: { readonly origin: string; readonly location: DatabaseLocation },
  { paper }: Paths,
  rounds: number,
): Promise<RunCosts & { readonly database: number; readonly databaseBytes: number }> {
  const isPostgres = location.kind === 'postgres';
  const database = await openDatabase(location, 5000);
  const folder = await mkdtemp(join(tmpdir(), 'pastpaper-'));
  try {
    const count = keysOfRun * (rounds + 1);
    const keys = await fillStore(database, count, count);
    await sql`analyze`.execute(database);
    const targetWith = async (some: readonly string[]): Promise<Target> => {
      const script = join(folder, 'keys.lua');
      await writeFile(
        script,
        `local keys = {${some.map((key) => `"${key}"`).join(',')}}
        local sent = 0
        request = function()
          sent = sent + 1
          wrk.headers["Authorization"] = "Bearer " .. keys[sent]
          return wrk.format()
        end`,
      );
      const url = `${origin}/${paper}`;
      return { url, headers: { 'Accept-Encoding': 'gzip' }, status: 200, script };
    };
    let lowest: (RunCosts & { readonly database: number }) | undefined;
    let failure: unknown;
    for (let round = 0; round <= rounds; round += 1) {
      const target = await targetWith(keys.slice(round * keysOfRun, (round + 1) * keysOfRun));
      const before = isPostgres ? await timeOfDatabase(database) : 0;
      const costs = await costsOf(servers, [target], 1, 1).catch((error: unknown) => {
        failure = error;
      });
      if (!costs) continue;
      const inDatabase = isPostgres ? (await timeOfDatabase(database)) - before : 0;
      const busy = ({ embedded, gateways, service }: RunCosts) => embedded + gateways + service;
      // The first round is the warm-up.
      if (round > 0 && (lowest === undefined || busy(costs) < busy(lowest)))
        lowest = { ...costs, database: inDatabase / costs.rate };
    }
    if (lowest === undefined) throw failure;
    return { ...lowest, databaseBytes: isPostgres ? (await sizeOfKeys(database)) / count : 0 };
  } finally {
    await database.destroy();
    await rm(folder, { recursive: true });
  }
}

/** The bytes of the table of keys, with its indexes. */
async function sizeOfKeys(database: Database): Promise<number> {
  const query = sql<{ bytes: string }>`select pg_total_relation_size('keys') as bytes`;
  return Number((await query.execute(database)).rows[0]?.bytes);
}

/** The processor time of all connections to a database, on this machine. */
async function timeOfDatabase(database: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()`.execute(database);
  return rows.reduce((sum, { pid }) => sum + exactTime(pid), 0);
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
  const { limits, close } = await openSharedLimits({
    location: redisLocation(redis.url),
    clock,
    log: openLog('error'),
  });
  for (; day <= 31; day += 1) {
    for (let request = 0; request < 33; request += 1)
      await limits.take('acc_0123456789ab', roomy, 'key_0123456789ab');
  }
  await close();
  return Number(await redis.ask('MEMORY', 'USAGE', monthName('acc_0123456789ab', '2026-01')));
}
