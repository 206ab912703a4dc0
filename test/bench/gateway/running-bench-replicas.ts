import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../../../gateway/auth/keys.ts';
import { openDatabase } from '../../../gateway/auth/store/store.ts';
import { systemClock } from '../../../gateway/clock.ts';
import { freePort } from '../../free-port.ts';
import { startPinned, waitForServer } from './pinned.ts';
import { commandOf, roomy } from './running-bench-gateway.ts';

/** Gateway processes that share limits in Redis, and an authentication service. */
export interface BenchReplicas {
  readonly origins: readonly string[];
  /** A key whose limits are never reached. */
  readonly key: string;
  readonly processes: readonly ChildProcess[];
}

/**
 * Starts gateways with the release in `dist`, each on another core if there are enough, from the last one down.
 *
 * @param folder the folder for the data of the service
 */
export async function startBenchReplicas(
  folder: string,
  distDir: string,
  redisUrl: string,
  replicas: number,
): Promise<BenchReplicas> {
  const dataDir = join(folder, 'service');
  const plansFile = join(folder, 'replicas-plans.json');
  await writeFile(plansFile, JSON.stringify({ free: { perSecond: 2, perMonth: 1000 }, roomy }));
  const database = await openDatabase({ kind: 'sqlite', file: join(dataDir, 'pastpaper.db') }, 5000);
  const request = { account: 'roomy', plan: 'roomy', fallbackPlan: 'roomy', lifetime: undefined };
  const { key } = await createKey(database, systemClock, { ...request, prefix: 'pfx_' });
  await database.destroy();
  const processes: ChildProcess[] = [];

  async function start(
    script: 'gateway' | 'auth',
    core: number,
    env: Readonly<Record<string, string>>,
  ): Promise<string> {
    const port = String(await freePort());
    const command = [process.execPath, ...(await commandOf(script))];
    const common = {
      NODE_ENV: 'production',
      WORKERS: '1',
      DIST_DIR: distDir,
      DATA_DIR: dataDir,
      PLANS: plansFile,
    };
    processes.push(startPinned(command, { ...common, PORT: port, ...env }, String(core)));
    const origin = `http://127.0.0.1:${port}`;
    await waitForServer(origin);
    return origin;
  }

  const INTROSPECTION_SECRET = randomBytes(32).toString('base64');
  const service = await start('auth', 0, { INTROSPECTION_SECRET });
  const settings = {
    INTROSPECTION_URL: `${service}/auth/introspect`,
    INTROSPECTION_SECRET,
    REDIS_URL: redisUrl,
  };
  const cores = availableParallelism();
  const origins: string[] = [];
  for (let replica = 1; replica <= replicas; replica += 1) {
    origins.push(await start('gateway', (cores * replicas - replica) % cores, settings));
  }
  return { origins, key, processes };
}
