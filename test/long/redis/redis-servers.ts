import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { freePort } from '../../free-port.ts';
import { type RedisServer, startRedis, startServer } from '../../gateway/limits/redis-server.ts';
import { waitUntil } from '../../wait-until.ts';

/** Milliseconds after which a node that does not reply counts as failed. */
const nodeTimeout = 1000;

const settings = [
  ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(nodeTimeout)],
  ...[
    '--cluster-require-full-coverage',
    'no',
    '--appendonly',
    'yes',
    '--repl-diskless-sync-delay',
    '0',
  ],
  // A replica is listed once it has received anything.
  ...['--repl-ping-replica-period', '1'],
];

const shards = 3;
const slotCount = 16_384;

/** Starts the nodes of a cluster; on other ports if another process took one of them meanwhile. */
async function startNodes() {
  for (let attempt = 1; ; attempt += 1) {
    const ports = await Promise.all(Array.from({ length: 2 * shards }, freePort));
    const starts = ports.map((port) => startRedis(...settings, '--cluster-port', String(port)));
    const results = await Promise.allSettled(starts);
    const nodes = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    if (nodes.length === starts.length) return { nodes, ports };
    await Promise.all(nodes.map((node) => node.remove()));
    if (attempt === 3) throw new Error('The nodes of the cluster do not start.');
  }
}

/** A Redis Cluster of three primaries, each with one replica, in six processes on loopback. */
export class RedisCluster {
  /** Primaries at the start, then their replicas, in the same order. */
  readonly nodes: readonly RedisServer[];
  /** Its REDIS_URL, with two of its nodes. */
  readonly url: string;

  private constructor(nodes: readonly RedisServer[], url: string) {
    this.nodes = nodes;
    this.url = url;
  }

  static async start(): Promise<RedisCluster> {
    const { nodes, ports } = await startNodes();
    const addresses = nodes.map(({ port }) => port);
    const url = `redis+cluster://${addresses.slice(0, 2).map((port) => `127.0.0.1:${port}`)}`;
    const ids = await Promise.all(
      nodes.map(async (node) => String(await node.ask('CLUSTER', 'MYID'))),
    );
    const [first] = nodes as [RedisServer];
    for (const [index, node] of nodes.entries()) {
      await node.ask('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
      if (node !== first)
        await node.ask('CLUSTER', 'MEET', '127.0.0.1', String(addresses[0]), String(ports[0]));
    }
    const bound = (shard: number) => Math.floor((slotCount * shard) / shards);
    for (const [shard, node] of nodes.slice(0, shards).entries()) {
      await node.ask(
        'CLUSTER',
        'ADDSLOTSRANGE',
        String(bound(shard)),
        String(bound(shard + 1) - 1),
      );
    }
    const cluster = new RedisCluster(nodes, url);
    for (const [index, replica] of nodes.slice(shards).entries()) {
      const isKnown = async () =>
        String(await replica.ask('CLUSTER', 'NODES')).includes(ids[index] as string);
      await waitUntil(isKnown);
      await replica.ask('CLUSTER', 'REPLICATE', ids[index] as string);
    }
    await cluster.waitUntilComplete();
    return cluster;
  }

  /** Waits until all nodes agree that every slot is served and that every primary has a replica. */
  async waitUntilComplete(): Promise<void> {
    for (const node of this.nodes) await waitUntil(() => isComplete(node));
  }

  /** The primary of an account. */
  async primaryOf(account: string): Promise<RedisServer> {
    for (const node of this.nodes) {
      const slot = Number(await node.ask('CLUSTER', 'KEYSLOT', `{${account}}`).catch(() => -1));
      const ranges = (await node.ask('CLUSTER', 'SLOTS').catch(() => [])) as readonly SlotRange[];
      const port = ranges.find(([first, last]) => slot >= first && slot <= last)?.[2][1];
      const primary = this.nodes.find((one) => one.port === port);
      if (primary) return primary;
    }
    throw new Error(`No node serves ${account}.`);
  }

  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.remove()));
  }
}

type SlotRange = readonly [
  first: number,
  last: number,
  primary: readonly [host: string, port: number],
];

async function isComplete(node: RedisServer): Promise<boolean> {
  const info = String(await node.ask('CLUSTER', 'INFO'));
  const ranges = (await node.ask('CLUSTER', 'SLOTS')) as readonly (readonly unknown[])[];
  const link =
    /master_link_status:(\w+)/.exec(String(await node.ask('INFO', 'replication')))?.[1] ?? 'up';
  return (
    /cluster_state:ok/.test(info) &&
    new RegExp(`cluster_size:${shards}\r`).test(info) &&
    ranges.every(({ length }) => length > 3) &&
    link === 'up'
  );
}

/**
 * Starts a primary and its replica, and three Sentinels that promote the replica when the primary is down for half a
 * second.
 */
export async function startSentinels() {
  const settings = [
    ...[
      '--appendonly',
      'yes',
      '--repl-diskless-sync-delay',
      '0',
      '--repl-ping-replica-period',
      '1',
    ],
  ];
  const primary = await startRedis(...settings);
  const replica = await startRedis(...settings, '--replicaof', `127.0.0.1 ${primary.port}`);
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
    const client = createClient({ url: sentinel.url, RESP: 2 });
    await client.connect();
    const field = async (name: string) => {
      const all = (await client.sendCommand(['SENTINEL', 'MASTER', 'main'])) as unknown as string[];
      return Number(all[all.indexOf(name) + 1]);
    };
    // They find each other, and the replica, through the primary.
    await waitUntil(
      async () => (await field('num-other-sentinels')) === 2 && (await field('num-slaves')) === 1,
    );
    client.destroy();
  }
  return {
    /** Their REDIS_URL. */
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/main`,
    primary,
    replica,
    sentinels,
    remove: async () => {
      await Promise.all([...sentinels, primary, replica].map((server) => server.remove()));
    },
  };
}
