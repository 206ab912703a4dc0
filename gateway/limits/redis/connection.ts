import type { RedisLocation } from '../../config-values.ts';
import { RedisUnavailable } from '../store.ts';
import {
  type Ask,
  MovingSlot,
  type OnBreak,
  openCluster,
  openServer,
  type RedisClient,
  urlAt,
} from './client.ts';

/** Called when a command fails or a connection breaks. */
type OnFailure = (reason: string, primary: string, client: RedisClient) => void;

export type Connection = ReturnType<typeof redisConnection>;

/**
 * The client that commands use. One that fails is replaced by another one that has proven that it works.
 *
 * @param timeout milliseconds that Redis has to reply
 */
export function redisConnection(location: RedisLocation, timeout: number, onFailure: OnFailure) {
  let current: RedisClient | undefined;
  let isClosed = false;

  const ask: Ask = (key, command) => {
    const client = current;
    if (!client) return Promise.reject(new RedisUnavailable('Redis is unavailable'));
    return client.ask(key, command).catch((error: unknown) => {
      const isBroken = error instanceof RedisUnavailable && !(error instanceof MovingSlot);
      // The primary has all keys with the hash tag of this one.
      const tag = /\{(.+?)\}/.exec(key)?.[1] ?? key;
      if (isBroken) fail(error.message, client.primaryOf(tag), client);
      throw error;
    });
  };

  function use(client: RedisClient): void {
    const previous = current;
    current = client;
    // In a cluster, commands to other primaries are pending.
    if (previous) setTimeout(() => previous.close(), timeout).unref();
  }

  function fail(reason: string, primary: string, client: RedisClient): void {
    if (client === current && !isClosed) onFailure(reason, primary, client);
  }

  /** @param known addresses of primaries, which may know the others when the nodes in the settings are down */
  async function open(known: readonly string[], onBreak: OnBreak): Promise<RedisClient> {
    switch (location.kind) {
      case 'server':
        return openServer(location.url, timeout, onBreak);
      case 'cluster': {
        const [first = ''] = location.urls;
        const urls = new Set([...location.urls, ...known.map((address) => urlAt(first, address))]);
        return openCluster([...urls], timeout, onBreak);
      }
      case 'sentinel':
        return (await import('./sentinel.ts')).openPrimary(location, timeout, onBreak);
    }
  }

  return {
    /** Fails at once when there is no connection. */
    ask,
    /** Undefined until Redis was available for the first time. */
    get client(): RedisClient | undefined {
      return current;
    },

    /**
     * Replaces a client, unless that has been done.
     *
     * @param prove sends the first commands. A client for which it fails is not used.
     * @throws RedisUnavailable
     */
    async replace(
      failed: RedisClient | undefined,
      prove: (ask: Ask) => Promise<unknown>,
    ): Promise<void> {
      if (current && current !== failed) {
        await prove(current.ask);
        return;
      }
      let opened: RedisClient | undefined;
      const onBreak: OnBreak = (reason, primary) => opened && fail(reason, primary, opened);
      const client = await open(current?.primaries ?? [], onBreak);
      opened = client;
      try {
        await prove(client.ask);
      } catch (error) {
        client.close();
        throw error;
      }
      if (isClosed) client.close();
      else use(client);
    },

    close(): void {
      isClosed = true;
      current?.close();
    },
  };
}
