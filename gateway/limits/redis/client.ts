/**
 * Clients of a Redis server and of a Redis Cluster. They do not reconnect, because the limits must merge what they
 * counted meanwhile before Redis decides again. They never send a command again that Redis may have received.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  ClientClosedError,
  createClient,
  createCluster,
  DisconnectsClientError,
  ErrorReply,
  RedisClient as Library,
} from '@redis/client';
import { inTime } from '../../../build/release/waits.ts';
import { reasonOf } from '../../log/logger.ts';
import { RedisUnavailable } from '../store.ts';

/** Milliseconds to open a connection, including TLS and authentication, or to find all primaries of a cluster. */
const openTimeout = 2000;

/** Milliseconds that a node of a cluster has to list the primaries before another one is asked. */
const listTimeout = 1000;

/** Milliseconds for which a command is tried again while the keys of its slot are at two nodes. */
const movingTime = 200;

/** Milliseconds between these attempts. */
const movingInterval = 5;

/** Commands that may wait for their replies. */
const maxPending = 20_000;

/**
 * Sends a command to the primary that has a key. Resolves to the reply.
 *
 * @throws RedisUnavailable when none arrives in time, and when Redis rejects it: for lack of memory, rights, or a
 *   primary
 * @throws MovingSlot
 * @throws UnknownScript
 */
export type Ask = (key: string, command: readonly string[]) => Promise<unknown>;

/** Connections to a server, or to all primaries of a cluster. */
export interface RedisClient {
  readonly ask: Ask;
  /** The primaries: `HOST:PORT`; empty for a server. */
  readonly primaries: readonly string[];
  /** The primary that has the keys with a hash tag; empty for a server, and if no node serves the slot. */
  primaryOf(tag: string): string;
  /** Ends the connection to a primary: its pending commands fail. */
  disconnect(primary: string): void;
  close(): void;
}

/** Called when the connection to a primary breaks. */
export type OnBreak = (reason: string, primary: string) => void;

/** The keys of the slot are being moved to another node. The command had no effect, and the connection stays open. */
export class MovingSlot extends RedisUnavailable {}

/** Redis has no script with this digest. */
export class UnknownScript extends Error {
  override readonly name = 'UnknownScript';
}

/** Slots of a cluster. */
export const slotCount = 16_384;

/**
 * The slot of the keys with a hash tag, as in the specification of Redis Cluster: their CRC-16 (XMODEM). The library
 * routes commands, but does not export which slot a key has.
 */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
  }
  return (crc & 0xffff) % slotCount;
}

/** `HOST:PORT`, with brackets around an IPv6 address. */
export function addressOf(host: string, port: number | string): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The URL of the node at another address, `HOST:PORT`, with the same protocol, credentials and database. */
export function urlAt(url: string, address: string): string {
  const changed = new URL(url);
  // Without a port in the address, the old one would stay.
  changed.port = '';
  changed.host = address;
  return changed.href;
}

const options = {
  RESP: 2,
  // Without it, the library would send pending commands again after it has reconnected.
  disableOfflineQueue: true,
  disableClientInfo: true,
  maintNotifications: 'disabled',
  commandsQueueMaxLength: maxPending,
  // The library's own timeout ends when a command is sent, and costs another timer.
  commandOptions: { timeout: 0 },
} as const;

/**
 * Connects to a server.
 *
 * @param url `redis://` or `rediss://`
 * @param timeout milliseconds that it has to reply
 * @param within milliseconds to open the connection
 * @throws RedisUnavailable
 */
export async function openServer(
  url: string,
  timeout: number,
  onBreak: OnBreak = () => {},
  within = openTimeout,
): Promise<RedisClient> {
  const client = createClient({
    ...options,
    url,
    socket: { connectTimeout: within, reconnectStrategy: false },
  });
  let isClosed = false;
  const close = () => {
    isClosed = true;
    client.destroy();
  };
  client.on('error', (error) => onBreak(reasonOf(error), ''));
  // A client that is destroyed while its socket connects would continue.
  client.on('connect', () => isClosed && client.destroy());
  await connect(client.connect(), within, close);
  return {
    ask: (_key, command) => reply(client.sendCommand([...command]), timeout),
    primaries: [''],
    primaryOf: () => '',
    disconnect: close,
    close,
  };
}

/**
 * Finds the primaries of a cluster. It connects to each one with the first command.
 *
 * @param urls of any nodes, with credentials
 * @param timeout milliseconds that a node has to reply
 * @throws RedisUnavailable
 */
export async function openCluster(
  urls: readonly string[],
  timeout: number,
  onBreak: OnBreak = () => {},
) {
  const first = urls[0] as string;
  const { socket, username = '', password = '' } = Library.parseURL(first);
  const { hostname } = new URL(first);
  /** A node may not know its own address. Then it is the one under which it was found. */
  const hostOf = (host: string | null) =>
    host === null || host === '' || host === '?' ? hostname : host;
  const addressAt = ({ host, port }: { host: string; port: number }) =>
    addressOf(hostOf(host), port);
  let reason: Error | undefined;

  const cluster = createCluster({
    RESP: options.RESP,
    commandOptions: options.commandOptions,
    rootNodes: urls.map((url) => ({
      url,
      socket: { connectTimeout: listTimeout, socketTimeout: listTimeout },
    })),
    defaults: {
      ...options,
      username,
      password,
      socket: { tls: socket.tls === true, connectTimeout: openTimeout, reconnectStrategy: false },
    },
    nodeAddressMap: (address) => {
      const port = address.lastIndexOf(':');
      const host = address.slice(0, port);
      return { host: hostOf(host === 'null' ? null : host), port: Number(address.slice(port + 1)) };
    },
    minimizeConnections: true,
  });
  cluster.on('error', (error) => {
    reason = error;
  });
  cluster.on('node-error', (error, node) => onBreak(reasonOf(error), addressAt(node)));
  const close = () => {
    // A node that is destroyed while its socket connects would continue.
    for (const { connectPromise } of cluster.masters)
      void connectPromise?.then(
        (node) => node.destroy(),
        () => {},
      );
    cluster.destroy();
  };
  const opening = cluster.connect().catch((error: unknown) => {
    throw reason ?? error;
  });
  await connect(opening, openTimeout, close);
  if (cluster.masters.length === 0) {
    close();
    throw new RedisUnavailable(`the cluster of ${new URL(first).host} has no slots`);
  }
  return {
    ask: (key, command) =>
      reply(
        retryWhileMoving(() => cluster.sendCommand(key, false, [...command])),
        timeout,
      ),
    get primaries() {
      return cluster.masters.map(addressAt);
    },
    primaryOf(tag) {
      const shard = cluster.slots[slotOf(tag)];
      return shard === undefined ? '' : addressAt(shard.master);
    },
    /** The number of slots that have a primary. */
    get servedSlots() {
      return cluster.slots.filter((shard) => shard !== undefined).length;
    },
    disconnect: (primary) =>
      cluster.masters.find((master) => addressAt(master) === primary)?.client?.destroy(),
    close,
  } satisfies RedisClient & { readonly servedSlots: number };
}

/** @throws RedisUnavailable */
async function connect(
  opening: Promise<unknown>,
  within: number,
  close: () => void,
): Promise<void> {
  try {
    await inTime(opening, within, () => new RedisUnavailable(`no connection within ${within} ms`));
  } catch (error) {
    close();
    throw toKnown(error);
  }
}

async function reply(sent: Promise<unknown>, timeout: number): Promise<unknown> {
  try {
    return await inTime(
      sent,
      timeout,
      () => new RedisUnavailable(`no reply within ${timeout} ms`),
    ).catch((error) => {
      // After a busy event loop the reply may have arrived: it is read after the timers.
      if (error instanceof RedisUnavailable) return inTime(sent, 1, () => error);
      throw error;
    });
  } catch (error) {
    throw toKnown(error);
  }
}

/** take.lua throws the last one where it has removed the last recent moment: the key is then missing at one node. */
const moving = /^TRYAGAIN |attempted to access a non local key in a cluster/;

/** The library follows MOVED and ASK, but does not wait until all keys of a command are at one node. */
async function retryWhileMoving(send: () => Promise<unknown>): Promise<unknown> {
  const end = performance.now() + movingTime;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const { message } = error as Error;
      const isMoving = moving.test(message);
      // A node without slots, which the library does not know, is about to get its first one.
      if (message.startsWith('Cannot find node') || (isMoving && performance.now() >= end))
        throw new MovingSlot(message);
      if (!isMoving) throw error;
    }
    await delay(movingInterval);
  }
}

/** An error of the library as one that `Ask` throws. */
function toKnown(error: unknown): Error {
  if (error instanceof RedisUnavailable) return error;
  const reason = reasonOf(error);
  if (error instanceof ErrorReply && reason.startsWith('NOSCRIPT')) return new UnknownScript();
  if (error instanceof ClientClosedError || error instanceof DisconnectsClientError)
    return new RedisUnavailable('Redis is unavailable');
  if (/^(MOVED|ASK) /.test(reason))
    return new RedisUnavailable(
      'it is a node of Redis Cluster: write redis+cluster:// in REDIS_URL',
    );
  return new RedisUnavailable(reason);
}
