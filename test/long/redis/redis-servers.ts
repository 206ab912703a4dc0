import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../free-port.ts';
import { type RedisServer, startRedis, startServer } from '../../gateway/limits/redis-server.ts';
import { waitUntil } from '../../wait-until.ts';

/** Milliseconds after which a node that does not reply counts as failed. */
const nodeTimeout = 1000;

/** Of servers with replicas, which are listed once they have received anything. */
const replicated = [
  ...['--appendonly', 'yes', '--repl-diskless-sync-delay', '0'],
  ...['--repl-ping-replica-period', '1'],
];

const clustered = [
  ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(nodeTimeout)],
  ...['--cluster-require-full-coverage', 'no'],
];

const shards = 3;

/** Starts the nodes of a cluster; on other ports if another process took one of them meanwhile. */
async function startNodes() {
  for (let attempt = 1; ; attempt += 1) {
    const ports = await Promise.all(Array.from({ length: 2 * shards }, freePort));
    const results = await Promise.allSettled(
      ports.map((port) => startRedis(...replicated, ...clustered, '--cluster-port', String(port))),
    );
    const nodes = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    if (nodes.length === results.length) return { nodes, ports };
    await Promise.all(nodes.map((node) => node.remove()));
    if (attempt === 3) throw new Error('The nodes of the cluster do not start.');
  }
}

/** Starts a Redis Cluster of three primaries, each with one replica, in six processes on loopback. */
export async function startCluster() {
  const { nodes, ports } = await startNodes();
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const withBus = addresses.map((address, index) => `${address}@${ports[index]}`);
  const options = ['--cluster-replicas', '1', '--cluster-yes'];
  await promisify(execFile)('redis-cli', ['--cluster', 'create', ...withBus, ...options]);
  for (const node of nodes) await waitUntil(() => isComplete(node));
  return {
    nodes,
    /** Its REDIS_URL, with two of its nodes. */
    url: `redis+cluster://${addresses.slice(0, 2)}`,
    /** The primary of an account. */
    async primaryOf(account: string): Promise<RedisServer> {
      for (const node of nodes) {
        const slot = Number(await node.ask('CLUSTER', 'KEYSLOT', `{${account}}`).catch(() => -1));
        const ranges = (await node.ask('CLUSTER', 'SLOTS').catch(() => [])) as readonly SlotRange[];
        const port = ranges.find(([first, last]) => slot >= first && slot <= last)?.[2][1];
        const primary = nodes.find((one) => one.port === port);
        if (primary) return primary;
      }
      throw new Error(`No node serves ${account}.`);
    },
    remove: () => Promise.all(nodes.map((node) => node.remove())),
  };
}

type SlotRange = readonly [
  first: number,
  last: number,
  primary: readonly [host: string, port: number],
];

/** Whether a node knows that every slot is served and that every primary has a replica. */
async function isComplete(node: RedisServer): Promise<boolean> {
  const info = String(await node.ask('CLUSTER', 'INFO'));
  const ranges = (await node.ask('CLUSTER', 'SLOTS')) as readonly (readonly unknown[])[];
  const replication = String(await node.ask('INFO', 'replication'));
  return (
    /cluster_state:ok/.test(info) &&
    ranges.length === shards &&
    ranges.every(({ length }) => length > 3) &&
    !/master_link_status:down/.test(replication)
  );
}

/**
 * Starts a primary and its replica, and three Sentinels that promote the replica when the primary is down for half a
 * second.
 */
export async function startSentinels() {
  const primary = await startRedis(...replicated);
  const replica = await startRedis(...replicated, '--replicaof', `127.0.0.1 ${primary.port}`);
  const file = [
    `sentinel monitor main 127.0.0.1 ${primary.port} 2`,
    'sentinel down-after-milliseconds main 500',
    'sentinel failover-timeout main 3000',
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
  for (const sentinel of sentinels) {
    const field = async (name: string) => {
      const all = (await sentinel.ask('SENTINEL', 'MASTER', 'main')) as string[];
      return Number(all[all.indexOf(name) + 1]);
    };
    // They find each other, and the replica, through the primary.
    await waitUntil(
      async () => (await field('num-other-sentinels')) === 2 && (await field('num-slaves')) === 1,
    );
  }
  return {
    /** Their REDIS_URL. */
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/main`,
    primary,
    remove: () => Promise.all([...sentinels, primary, replica].map((server) => server.remove())),
  };
}
