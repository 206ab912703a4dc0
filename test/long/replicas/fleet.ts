import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { temporaryFolder } from '../../build/bank-folder.ts';
import { publishedFolder } from '../../build/release-folder.ts';
import { sampleContentDir } from '../../content/sample-bank.ts';
import { postgres } from '../../gateway/accounts/engines.ts';
import { startRedis } from '../../gateway/limits/redis-server.ts';
import { startReplica } from '../../gateway/server-process.ts';
import { Accounts } from '../accounts.ts';
import { startBalancer } from '../hosts/balancer.ts';

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
  const common = {
    DIST_DIR: dist,
    DATA_DIR: join(folder, 'data'),
    REDIS_URL: redis.url,
    INTROSPECTION_SECRET: randomBytes(32).toString('base64'),
    TRUST_PROXY: '1',
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
  const balancer = await startBalancer(
    replicas.map(({ port }) => port),
    service.port,
  );
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
