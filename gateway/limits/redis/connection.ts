import type { RedisLocation } from '../../config-values.ts';
import { RedisUnavailable } from '../store.ts';
import { type Ask, MovingSlot, type OnBreak, openCluster, openServer, type RedisClient, urlAt } from './client.ts';

/** Called when a command fails or a connection breaks. */
export type OnFailure = (reason: string, primary: string, client: RedisClient) => void;

/** The client that commands use. One that fails is replaced by another one that has proven that it works. */
export class Connection {
  readonly #location: RedisLocation;
  readonly #timeout: number;
  readonly #onFailure: OnFailure;
  #client: RedisClient | undefined;
  #isClosed = false;

  /** @param timeout milliseconds that Redis has to reply */
  constructor(location: RedisLocation, timeout: number, onFailure: OnFailure) {
    this.#location = location;
    this.#timeout = timeout;
    this.#onFailure = onFailure;
  }

  /** Undefined until Redis was available for the first time. */
  get client(): RedisClient | undefined {
    return this.#client;
  }

  /** Fails at once when there is no connection. */
  readonly ask: Ask = (key, command) => {
    const client = this.#client;
    if (!client) return Promise.reject(new RedisUnavailable('Redis is unavailable'));
    return client.ask(key, command).catch((error: unknown) => {
      const isBroken = error instanceof RedisUnavailable && !(error instanceof MovingSlot);
      // The primary has all keys with the hash tag of this one.
      const tag = /\{(.+?)\}/.exec(key)?.[1] ?? key;
      if (isBroken) this.#fail(error.message, client.primaryOf(tag), client);
      throw error;
    });
  };

  /**
   * Replaces a client, unless that has been done.
   *
   * @param prove sends the first commands. A client for which it fails is not used.
   * @throws RedisUnavailable
   */
  async replace(failed: RedisClient | undefined, prove: (ask: Ask) => Promise<unknown>): Promise<void> {
    const current = this.#client;
    if (current && current !== failed) {
      await prove(current.ask);
      return;
    }
    let opened: RedisClient | undefined;
    const onBreak: OnBreak = (reason, primary) => opened && this.#fail(reason, primary, opened);
    const client = await this.#open(current?.primaries ?? [], onBreak);
    opened = client;
    try {
      await prove(client.ask);
    } catch (error) {
      client.close();
      throw error;
    }
    if (this.#isClosed) client.close();
    else this.#use(client);
  }

  close(): void {
    this.#isClosed = true;
    this.#client?.close();
  }

  #use(client: RedisClient): void {
    const previous = this.#client;
    this.#client = client;
    // In a cluster, commands to other primaries are pending.
    if (previous) setTimeout(() => previous.close(), this.#timeout).unref();
  }

  #fail(reason: string, primary: string, client: RedisClient): void {
    if (client === this.#client && !this.#isClosed) this.#onFailure(reason, primary, client);
  }

  /** @param known addresses of primaries, which may know the others when the nodes in the settings are down */
  async #open(known: readonly string[], onBreak: OnBreak): Promise<RedisClient> {
    const location = this.#location;
    switch (location.kind) {
      case 'server':
        return openServer(location.url, this.#timeout, onBreak);
      case 'cluster': {
        const [first = ''] = location.urls;
        const urls = new Set([...location.urls, ...known.map((address) => urlAt(first, address))]);
        return openCluster([...urls], this.#timeout, onBreak);
      }
      case 'sentinel':
        return (await import('./sentinel.ts')).openPrimary(location, this.#timeout, onBreak);
    }
  }
}
