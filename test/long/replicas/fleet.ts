import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { publishedFolder } from '../../build/release-folder.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { postgres } from '../../gateway/auth/engines.ts';
import { startRedis } from '../../gateway/limits/redis-server.ts';
import { type Replica, startReplica } from '../../gateway/started-process.ts';
import { Accounts } from '../accounts.ts';
import { type RunningHost, startNginx } from '../hosts/running-host.ts';

/** The plans of the accounts. */
export const plans = {
  free: { perSecond: 2, perMonth: 1000 },
  roomy: { perSecond: 1_000_000, perMonth: 100_000_000 },
};

export type PlanName = keyof typeof plans;

/** The configuration files of the docs, tested with other addresses and folders. */
const docs = new URL('../../../docs/replicas/', import.meta.url);

/**
 * Starts three gateways behind nginx, an authentication service on PostgreSQL, and Redis, each in its own process, as
 * in docs/replicas.md.
 */
export async function startFleet() {
  const folder = await temporaryFolder();
  const [testDatabase, redis] = await Promise.all([
    postgres.createDatabase(),
    startRedis('--appendonly', 'yes', '--maxmemory-policy', 'noeviction'),
  ]);
  const dist = join(folder, 'dist');
  await publishedFolder(sampleContentDir, dist);
  const plansFile = join(folder, 'plans.json');
  await writeFile(plansFile, JSON.stringify(plans));
  const common = {
    NODE_ENV: 'production',
    WORKERS: '1',
    DIST_DIR: dist,
    DATA_DIR: join(folder, 'data'),
    REDIS_URL: redis.url,
    INTROSPECTION_SECRET: randomBytes(32).toString('base64'),
    TRUST_PROXY: '1',
    PLANS: plansFile,
  };
  const service = await startReplica('auth', {
    ...common,
    DATABASE_URL: testDatabase.url,
    SESSION_SECRET: randomBytes(32).toString('base64'),
  });
  const INTROSPECTION_URL = `http://127.0.0.1:${service.port}/auth/introspect`;
  const replicas = await Promise.all(
    [1, 2, 3].map(() => startReplica('gateway', { ...common, INTROSPECTION_URL })),
  );
  const balancer = await startBalancer(dist, replicas, service);
  const accounts = await Accounts.open(testDatabase.location);
  return {
    replicas,
    redis,
    accounts,
    /** The address of nginx. */
    baseUrl: balancer.baseUrl,
    async close() {
      await accounts.close();
      await balancer.close();
      for (const process of [...replicas, service]) await process.stop();
      await redis.remove();
      await testDatabase.remove();
    },
  };
}

/** Starts nginx with the configuration of the docs, with these addresses and folders. */
function startBalancer(
  dist: string,
  replicas: readonly Replica[],
  service: Replica,
): Promise<RunningHost> {
  return startNginx(async (folder, port) => {
    const file = (name: string) => readFile(new URL(name, docs), 'utf8');
    const [upstreams, site] = [join(folder, 'upstreams.conf'), join(folder, 'site.conf')];
    const addresses = [8081, 8082, 8083].map((port, index) => [port, replicas[index]?.port]);
    await writeFile(
      upstreams,
      replaceAll(
        await file('upstreams.conf'),
        [...addresses, [8090, service.port]].map(([from, to]) => [
          `127.0.0.1:${from}`,
          `127.0.0.1:${to}`,
        ]),
      ),
    );
    await writeFile(
      site,
      replaceAll(await file('nginx.conf'), [
        ['/etc/nginx/pastpaper-upstreams.conf', upstreams],
        ['/srv/pastpaper/dist/current', await realpath(join(dist, 'current'))],
        ['listen 80;', `listen 127.0.0.1:${port};`],
      ]),
    );
    return `include ${site};`;
  });
}

function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  for (const [from, to] of pairs) {
    assert.ok(text.includes(from), `${from} is missing`);
    text = text.replaceAll(from, to);
  }
  return text;
}
