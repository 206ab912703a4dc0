/** Checks of Redis: each server, each node of a cluster, and Sentinels. */
import type { RedisLocation } from '../../config-values.ts';
import {
  type Ask,
  addressOf,
  openCluster,
  openServer,
  slotCount,
  urlAt,
} from '../../limits/redis/client.ts';
import { askSentinel, findPrimary } from '../../limits/redis/sentinel.ts';
import { defaultTimeout } from '../../limits/redis/shared-limits.ts';
import { type Check, compareClocks, type Finding, found, ok } from './check.ts';

export const redis: Check = {
  name: 'Redis',
  async *run({ redis: location }) {
    switch (location?.kind) {
      case undefined:
        return yield ok('REDIS_URL is not set. The gateway enforces limits by itself.');
      case 'server':
        return yield* checkSingle(location.url);
      case 'cluster':
        return yield* checkCluster(location.urls);
      case 'sentinel':
        return yield* checkSentinels(location);
    }
  },
};

async function* checkSingle(url: string): AsyncIterable<Finding> {
  const { findings, info } = await checkServer(url, 'master');
  if (info?.['cluster_enabled'] !== '1') return yield* findings;
  yield found('redis-is-node', { host: new URL(url).host });
}

async function* checkCluster(urls: readonly string[]): AsyncIterable<Finding> {
  const views = await Promise.allSettled(urls.map(readCluster));
  for (const [index, view] of views.entries())
    if (view.status === 'rejected') yield cannotBeUsed(urls[index] as string, view.reason);
  const view = views.find((view) => view.status === 'fulfilled')?.value;
  if (!view) return;
  if (view.servedSlots < slotCount)
    yield found('redis-slots-missing', { served: view.servedSlots, slotCount });
  const checked = view.primaries.map((address) => checkPrimary(urlAt(urls[0] as string, address)));
  for (const { findings } of await Promise.all(checked)) yield* findings;
}

/** @throws RedisUnavailable */
async function readCluster(url: string) {
  const cluster = await openCluster([url], defaultTimeout);
  const { primaries, servedSlots } = cluster;
  cluster.close();
  return { primaries, servedSlots };
}

async function* checkSentinels(
  location: Extract<RedisLocation, { kind: 'sentinel' }>,
): AsyncIterable<Finding> {
  const addresses = new Set<string>();
  for (const url of location.urls) {
    try {
      const { address } = await askSentinel(url, location.name, defaultTimeout);
      addresses.add(address);
      yield ok(`Sentinel at ${new URL(url).host} responds. The primary is ${address}.`);
    } catch (error) {
      yield found('sentinel-unusable', { reason: (error as Error).message });
    }
  }
  if (addresses.size === 0) return;
  if (addresses.size > 1) yield found('sentinels-disagree');
  const { findings, info } = await checkPrimary(await findPrimary(location, defaultTimeout));
  yield* findings;
  if (info && info['min_slaves_good_slaves'] === undefined) yield found('primary-isolated');
}

/** The fields of Redis's INFO. */
type Info = Readonly<Record<string, string | undefined>>;

interface CheckedServer {
  readonly findings: readonly Finding[];
  /** Undefined if it does not respond. */
  readonly info: Info | undefined;
}

/** A primary and its replicas, any of which may be promoted. */
async function checkPrimary(url: string): Promise<CheckedServer> {
  const { findings, info } = await checkServer(url, 'master');
  if (!info) return { findings, info };
  const replicas = Object.entries(info).flatMap(([field, value = '']) => {
    const [, host = '', port = ''] =
      (/^slave\d+$/.test(field) && /^ip=([^,]+),port=(\d+)/.exec(value)) || [];
    return host === '' ? [] : [urlAt(url, addressOf(host, port))];
  });
  if (replicas.length === 0) return { findings: [...findings, found('no-replica')], info };
  const checked = await Promise.all(replicas.map((replica) => checkServer(replica, 'slave')));
  return { findings: [...findings, ...checked.flatMap((replica) => replica.findings)], info };
}

/** @param role that INFO should show */
async function checkServer(url: string, role: 'master' | 'slave'): Promise<CheckedServer> {
  const { host } = new URL(url);
  try {
    const client = await openServer(url, defaultTimeout);
    try {
      const { ahead, info } = await inspect(client.ask);
      const responds = ok(`Redis at ${host} responds${role === 'slave' ? ' as a replica' : ''}.`);
      const findings = [
        responds,
        compareClocks('Its', ahead),
        checkAppendOnlyFile(info),
        checkEviction(info),
      ];
      return { findings: [...checkRole(host, role, info), ...findings], info };
    } finally {
      client.close();
    }
  } catch (error) {
    return { findings: [cannotBeUsed(url, error)], info: undefined };
  }
}

function cannotBeUsed(url: string, error: unknown): Finding {
  return found('redis-unusable', { host: new URL(url).host, reason: (error as Error).message });
}

/** @returns how many milliseconds its clock is ahead, and its INFO */
async function inspect(ask: Ask) {
  await ask('', ['EVAL', 'return 1', '0']);
  const sentAt = Date.now();
  const [seconds, microseconds] = ((await ask('', ['TIME'])) as string[]).map(Number);
  const here = (sentAt + Date.now()) / 2;
  const lines = String(await ask('', ['INFO'])).split('\r\n');
  const info: Info = Object.fromEntries(
    lines.map((line) => /^([^:]*):?(.*)$/.exec(line)?.slice(1) ?? []),
  );
  return { ahead: (seconds ?? 0) * 1000 + (microseconds ?? 0) / 1000 - here, info };
}

function checkRole(
  host: string,
  expected: string,
  { role, master_link_status: link }: Info,
): Finding[] {
  if (expected === 'master' && role !== expected) return [found('redis-is-replica', { host })];
  if (role === 'slave' && link !== 'up') return [found('replica-out-of-date', { host })];
  return [];
}

function checkAppendOnlyFile({ aof_enabled }: Info): Finding {
  if (aof_enabled === '1') return ok('It writes every count to disk.');
  return found('counts-not-on-disk');
}

function checkEviction({
  maxmemory = '0',
  maxmemory_policy: policy = 'noeviction',
}: Info): Finding {
  if (maxmemory === '0' || policy === 'noeviction') return ok('It does not evict counts.');
  return found('counts-evicted', { policy });
}
