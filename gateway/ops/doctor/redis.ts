/** Checks of Redis: each server, each node of a cluster, and Sentinels. */
import type { RedisLocation } from '../../config-values.ts';
import { addressOf, urlAt } from '../../limits/redis/address.ts';
import { readPrimaries } from '../../limits/redis/cluster.ts';
import { type Ask, Link } from '../../limits/redis/connection.ts';
import { askSentinel, findPrimary } from '../../limits/redis/sentinel.ts';
import { defaultTimeout } from '../../limits/redis/shared-limits.ts';
import { slotCount } from '../../limits/redis/slots.ts';
import { type Check, compareClocks, type Finding, ok, problem, warning } from './check.ts';

const startIt = 'Start it, or correct REDIS_URL. Until then, each gateway enforces limits by itself.';

export const redis: Check = {
  name: 'Redis',
  async run({ redis: location }) {
    if (!location) return ok('REDIS_URL is not set. The gateway enforces limits by itself.');
    switch (location.kind) {
      case 'server':
        return checkSingle(location.url);
      case 'cluster':
        return checkCluster(location.urls);
      case 'sentinel':
        return checkSentinels(location);
    }
  },
};

async function checkSingle(url: string): Promise<readonly Finding[]> {
  const { findings, info } = await checkServer(url, 'master');
  if (info?.['cluster_enabled'] !== '1') return findings;
  const { host } = new URL(url);
  return [problem(`Redis at ${host} is a node of Redis Cluster.`, 'Write redis+cluster:// in REDIS_URL.')];
}

async function checkCluster(urls: readonly string[]): Promise<readonly Finding[]> {
  const views = await Promise.allSettled(urls.map((url) => readPrimaries(url, defaultTimeout)));
  const findings = views.flatMap((view, index) =>
    view.status === 'rejected' ? [cannotBeUsed(urls[index] as string, view.reason)] : [],
  );
  const primaries = views.flatMap((view) => (view.status === 'fulfilled' ? [view.value] : []))[0];
  if (!primaries) return findings;
  const served = primaries
    .flatMap(({ ranges }) => ranges)
    .reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (served < slotCount) {
    findings.push(
      problem(
        `The cluster serves only ${served} of ${slotCount} slots.`,
        'Repair it: redis-cli --cluster fix HOST:PORT.',
      ),
    );
  }
  const checked = primaries.map(({ address }) => checkPrimary(urlAt(urls[0] as string, address)));
  return [...findings, ...(await Promise.all(checked)).flatMap(({ findings }) => findings)];
}

async function checkSentinels(
  location: Extract<RedisLocation, { kind: 'sentinel' }>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const addresses = new Set<string>();
  for (const url of location.urls) {
    const { host } = new URL(url);
    try {
      const { address } = await askSentinel(url, location.name, defaultTimeout);
      addresses.add(address);
      findings.push(ok(`Sentinel at ${host} responds. The primary is ${address}.`));
    } catch (error) {
      findings.push(problem(`${(error as Error).message}.`, 'Start it, or correct REDIS_URL.'));
    }
  }
  if (addresses.size === 0) return findings;
  if (addresses.size > 1) {
    findings.push(
      warning('The Sentinels name different primaries.', 'Check that they can connect to each other.'),
    );
  }
  const primary = await checkPrimary(await findPrimary(location, defaultTimeout));
  findings.push(...primary.findings);
  if (primary.info && primary.info['min_slaves_good_slaves'] === undefined) {
    findings.push(
      warning(
        'The primary accepts requests while it is isolated from its replicas.',
        'Set "min-replicas-to-write 1" in the configuration of each server.',
      ),
    );
  }
  return findings;
}

/** A primary and its replicas, any of which may be promoted. */
async function checkPrimary(url: string): Promise<CheckedServer> {
  const { findings, info } = await checkServer(url, 'master');
  const replicas = Object.entries(info ?? {}).flatMap(([field, value = '']) => {
    const [, host = '', port = ''] = (/^slave\d+$/.test(field) && /^ip=([^,]+),port=(\d+)/.exec(value)) || [];
    return host === '' ? [] : [addressOf(host, port)];
  });
  if (info && replicas.length === 0) {
    findings.push(warning('It has no replica that could replace it.', 'Add one.'));
  }
  const checked = replicas.map((address) => checkServer(urlAt(url, address), 'slave'));
  return {
    findings: [findings, ...(await Promise.all(checked)).map(({ findings }) => findings)].flat(),
    info,
  };
}

/** The fields of Redis's INFO. */
type Info = Readonly<Record<string, string | undefined>>;

interface CheckedServer {
  readonly findings: Finding[];
  /** Undefined if it does not respond. */
  readonly info: Info | undefined;
}

/** @param role that INFO should show */
async function checkServer(url: string, role: 'master' | 'slave'): Promise<CheckedServer> {
  const { host } = new URL(url);
  try {
    const link = await Link.open(url, defaultTimeout, (ask) => ask(['PING']));
    try {
      const { ahead, info } = await inspect(link.ask);
      const responds = ok(`Redis at ${host} responds${role === 'slave' ? ' as a replica' : ''}.`);
      const findings = [
        responds,
        compareClocks('Its', ahead),
        checkAppendOnlyFile(info),
        checkEviction(info),
      ];
      return { findings: [...checkRole(host, role, info), ...findings], info };
    } finally {
      link.close('checked');
    }
  } catch (error) {
    return { findings: [cannotBeUsed(url, error)], info: undefined };
  }
}

function cannotBeUsed(url: string, error: unknown): Finding {
  return problem(`Redis at ${new URL(url).host} cannot be used: ${(error as Error).message}.`, startIt);
}

/** @returns how many milliseconds its clock is ahead, and its INFO */
async function inspect(ask: Ask) {
  await ask(['EVAL', 'return 1', '0']);
  const sentAt = Date.now();
  const [seconds, microseconds] = ((await ask(['TIME'])) as string[]).map(Number);
  const here = (sentAt + Date.now()) / 2;
  const lines = String(await ask(['INFO'])).split('\r\n');
  const info: Info = Object.fromEntries(lines.map((line) => /^([^:]*):?(.*)$/.exec(line)?.slice(1) ?? []));
  return { ahead: (seconds ?? 0) * 1000 + (microseconds ?? 0) / 1000 - here, info };
}

function checkRole(host: string, expected: string, { role, master_link_status: link }: Info): Finding[] {
  if (expected === 'master' && role !== expected) {
    return [problem(`Redis at ${host} is a read-only replica.`, 'Set REDIS_URL to the primary.')];
  }
  if (role === 'slave' && link !== 'up') {
    return [warning(`Redis at ${host} does not receive the counts of its primary.`, 'Check its log.')];
  }
  return [];
}

function checkAppendOnlyFile({ aof_enabled }: Info): Finding {
  if (aof_enabled === '1') return ok('It writes every count to disk.');
  return warning(
    'It does not write every count to disk. A restart loses counts.',
    'Set "appendonly yes" in its configuration.',
  );
}

function checkEviction({ maxmemory = '0', maxmemory_policy: policy = 'noeviction' }: Info): Finding {
  if (maxmemory === '0' || policy === 'noeviction') return ok('It does not evict counts.');
  return warning(
    `It evicts counts when its memory is full (maxmemory-policy ${policy}).`,
    'Set "maxmemory-policy noeviction" in its configuration.',
  );
}
