import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../free-port.ts';
import type { TestDatabase } from '../../gateway/auth/engines.ts';
import { startPinned, waitForServer } from './pinned.ts';
import { commandOf, createBenchKeys, plans } from './running-bench-gateway.ts';

/** Gateway processes that share limits in Redis, and an authentication service. */
export interface BenchReplicas {
  readonly origins: readonly string[];
  /** A key whose limits are never reached, and one with a rate of one request per second. */
  readonly roomyKey: string;
  readonly tightKey: string;
  readonly gateways: readonly ChildProcess[];
  readonly service: ChildProcess;
}

/** The core of a replica, from 0. Replicas have different cores if there are enough, from the last one down. */
export function coreOfReplica(replica: number, replicas: number): number {
  const cores = availableParallelism();
  return (cores * replicas - replica - 1) % cores;
}

/**
 * Starts gateways with the release in `dist`, each on its core.
 *
 * @param folder the folder for the data of the service
 * @param database the database of the service; by default SQLite in that folder
 */
export async function startBenchReplicas(
  folder: string,
  distDir: string,
  redisUrl: string,
  replicas: number,
  database?: Pick<TestDatabase, 'location' | 'url'>,
): Promise<BenchReplicas> {
  const dataDir = join(folder, 'service');
  const plansFile = join(folder, 'replicas-plans.json');
  await writeFile(plansFile, JSON.stringify(plans));
  const { roomyKey, tightKey } = await createBenchKeys(
    database?.location ?? { kind: 'sqlite', file: join(dataDir, 'pastpaper.db') },
  );
  async function start(
    script: 'gateway' | 'auth',
    core: number,
    env: Readonly<Record<string, string>>,
  ): Promise<{ readonly origin: string; readonly child: ChildProcess }> {
    const port = String(await freePort());
    const command = [process.execPath, ...(await commandOf(script))];
    const common = {
      NODE_ENV: 'production',
      WORKERS: '1',
      DIST_DIR: distDir,
      DATA_DIR: dataDir,
      PLANS: plansFile,
    };
    const child = startPinned(command, { ...common, PORT: port, ...env }, String(core));
    const origin = `http://127.0.0.1:${port}`;
    await waitForServer(origin);
    return { origin, child };
  }

  const INTROSPECTION_SECRET = randomBytes(32).toString('base64');
  const service = await start('auth', 0, {
    INTROSPECTION_SECRET,
    ...(database && { DATABASE_URL: database.url }),
  });
  const settings = {
    INTROSPECTION_URL: `${service.origin}/auth/introspect`,
    INTROSPECTION_SECRET,
    REDIS_URL: redisUrl,
  };
  const started: Awaited<ReturnType<typeof start>>[] = [];
  for (let replica = 0; replica < replicas; replica += 1) {
    started.push(await start('gateway', coreOfReplica(replica, replicas), settings));
  }
  return {
    origins: started.map(({ origin }) => origin),
    roomyKey,
    tightKey,
    gateways: started.map(({ child }) => child),
    service: service.child,
  };
}
