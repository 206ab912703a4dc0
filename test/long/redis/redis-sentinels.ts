import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { type RedisServer, startRedis, startServer } from '../../gateway/limits/redis-server.ts';

/** A primary and its replica, and three Sentinels that promote the replica when the primary is down for half a second. */
export interface Sentinels {
  /** Their REDIS_URL, without a password. */
  readonly url: string;
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  readonly sentinels: readonly RedisServer[];
  remove(): Promise<void>;
}

/** @param password of Redis and of the Sentinels; empty: none */
export async function startSentinels(password = ''): Promise<Sentinels> {
  const settings = [
    ...['--appendonly', 'yes', '--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'],
    ...(password === '' ? [] : ['--requirepass', password, '--masterauth', password]),
  ];
  const primary = await startRedis(...settings);
  const replica = await startRedis(...settings, '--replicaof', `127.0.0.1 ${primary.port}`);
  const auth = password === '' ? [] : [`sentinel auth-pass main ${password}`, `requirepass ${password}`];
  const file = [
    `sentinel monitor main 127.0.0.1 ${primary.port} 2`,
    'sentinel down-after-milliseconds main 500',
    'sentinel failover-timeout main 3000',
    ...auth,
  ].join('\n');
  const sentinels = await Promise.all(
    [1, 2, 3].map(() =>
      startServer(async (folder) => {
        const path = join(folder, 'sentinel.conf');
        await writeFile(path, file);
        return [path, '--sentinel'];
      }),
    ),
  );
  const credentials = password === '' ? '' : `:${encodeURIComponent(password)}@`;
  for (const sentinel of sentinels) {
    const client = createClient({ url: sentinel.url.replace('//', `//${credentials}`), RESP: 2 });
    await client.connect();
    const fields = async () =>
      (await client.sendCommand(['SENTINEL', 'MASTER', 'main'])) as unknown as string[];
    const field = async (name: string) => {
      const all = await fields();
      return Number(all[all.indexOf(name) + 1]);
    };
    // They find each other, and the replica, through the primary.
    while ((await field('num-other-sentinels')) < 2 || (await field('num-slaves')) < 1) await delay(50);
    client.destroy();
  }
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/main`,
    primary,
    replica,
    sentinels,
    remove: async () => {
      await Promise.all([...sentinels, primary, replica].map((server) => server.remove()));
    },
  };
}
