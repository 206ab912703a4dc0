import { setTimeout as delay } from 'node:timers/promises';
import { RedisUnavailable } from '../store.ts';
import { urlAt } from './address.ts';
import {
  type Ask,
  type AvailabilityListener,
  inTime,
  Link,
  Redirection,
  RedisConnection,
} from './connection.ts';
import { type Primary, parsePrimaries, slotCount, slotOf, tagOf } from './slots.ts';

/** Milliseconds in which a command follows redirections, beyond those of its first reply. */
const redirectionTime = 200;

/** Milliseconds between attempts while a slot is moved, and the keys of a command are at two nodes. */
const moveInterval = 5;

/** Uses the connection to one primary. */
export interface ShardUser extends AvailabilityListener {
  /**
   * Sends the first commands over a new connection.
   *
   * @param tag in a cluster, a hash tag whose keys the primary serves
   */
  greet(ask: Ask, tag?: string): Promise<unknown>;
}

/** A primary and its replicas. It stays the same when a replica is promoted. */
interface Shard<User> {
  /** Undefined until a node has listed the primaries. */
  primary: Primary | undefined;
  readonly connection: RedisConnection;
  readonly user: User;
  /** Resolves after the first attempt to connect. */
  opened?: Promise<void>;
}

/** Connections to all primaries of a Redis Cluster. */
export class Cluster<User extends ShardUser> {
  readonly #urls: readonly string[];
  readonly #timeout: number;
  readonly #createUser: (name: () => string) => User;
  #shards: readonly Shard<User>[];
  readonly #bySlot: Shard<User>[];
  #refreshing: Promise<void> | undefined;
  #isClosed = false;

  /**
   * @param urls of any nodes, with credentials
   * @param timeout milliseconds that a node has to reply
   * @param createUser creates the user of a shard, whose `name` is for log lines
   */
  constructor(urls: readonly string[], timeout: number, createUser: (name: () => string) => User) {
    this.#urls = urls;
    this.#timeout = timeout;
    this.#createUser = createUser;
    // It has all slots until a node lists the primaries.
    const shard = this.#createShard();
    this.#shards = [shard];
    this.#bySlot = Array.from({ length: slotCount }, () => shard);
  }

  /** Resolves after the first attempt to connect to each primary; after a failure others follow until `close`. */
  async open(): Promise<void> {
    for (const shard of this.#shards) await this.#open(shard);
    // The first attempt has found the other shards.
    for (const { opened } of this.#shards) await opened;
  }

  /** The users of all shards. */
  get users(): readonly User[] {
    return this.#shards.map(({ user }) => user);
  }

  /** The user of the shard with the keys of a hash tag. */
  userOf(tag: string): User {
    return this.#shardOf(slotOf(tag)).user;
  }

  /** Sends a command to the primary that serves its first key. */
  readonly ask: Ask = (command) => {
    const slot = slotOf(tagIn(command));
    const reply = this.#shardOf(slot).connection.ask(command);
    return reply.catch((error: unknown) => {
      if (error instanceof Redirection) return this.#follow(slot, command, error);
      throw error;
    });
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#shards.map(({ connection }) => connection.close()));
  }

  #shardOf(slot: number): Shard<User> {
    return this.#bySlot[slot] as Shard<User>;
  }

  #createShard(): Shard<User> {
    const find = async () => {
      await this.#refresh();
      if (shard.primary) return this.#urlOf(shard.primary);
      throw new RedisUnavailable('the cluster does not list it');
    };
    const shard: Shard<User> = {
      primary: undefined,
      connection: new RedisConnection(find, this.#timeout, { isClusterNode: true }),
      user: this.#createUser(() => (shard.primary ? `Redis at ${shard.primary.address}` : 'Redis')),
    };
    return shard;
  }

  #open(shard: Shard<User>): Promise<void> {
    const { connection, user } = shard;
    const greet = (ask: Ask) => user.greet(ask, shard.primary && tagOf(shard.primary));
    shard.opened = connection.open(greet, user);
    return shard.opened;
  }

  #urlOf({ address }: Primary): string {
    return urlAt(this.#urls[0] as string, address);
  }

  /** Asks which primary serves which slots. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#listPrimaries()
      .then((primaries) => this.#update(primaries))
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  /** @throws RedisUnavailable */
  async #listPrimaries(): Promise<readonly Primary[]> {
    const known = this.#shards.flatMap(({ primary, connection }) =>
      primary ? [{ primary, connection }] : [],
    );
    const connected = known.filter(({ connection }) => connection.isConnected);
    const asked = connected.map(({ primary, connection }) =>
      listPrimaries(connection.ask, this.#urlOf(primary)),
    );
    const primaries = await Promise.any(asked).catch(() => undefined);
    if (primaries) return primaries;
    const urls = new Set([...this.#urls, ...known.map(({ primary }) => this.#urlOf(primary))]);
    return Promise.any([...urls].map((url) => readPrimaries(url, this.#timeout))).catch((error) => {
      throw (error as AggregateError).errors[0];
    });
  }

  #update(primaries: readonly Primary[]): void {
    if (this.#isClosed) return;
    const byAddress = new Map(this.#shards.map((shard) => [shard.primary?.address, shard]));
    const addresses = new Set(primaries.map(({ address }) => address));
    const without = new Set(
      this.#shards.filter(({ primary }) => !primary || !addresses.has(primary.address)),
    );
    const shards = primaries.map((primary) => {
      // A replica that was promoted serves the slots of its primary.
      const previous = this.#shardOf(primary.ranges[0]?.[0] ?? 0);
      const same = byAddress.get(primary.address) ?? (without.has(previous) ? previous : undefined);
      const shard = same ?? this.#createShard();
      without.delete(shard);
      shard.primary = primary;
      for (const [first, last] of primary.ranges) this.#bySlot.fill(shard, first, last + 1);
      return shard;
    });
    // Slots that nobody serves stay with the shard that had them.
    const unserved = [...without].filter((shard) => this.#bySlot.includes(shard));
    for (const shard of without) if (!unserved.includes(shard)) void shard.connection.close();
    const known = this.#shards;
    this.#shards = [...shards, ...unserved];
    for (const shard of shards) {
      if (!known.includes(shard)) void this.#open(shard);
      else if (shard.primary) shard.connection.follow(this.#urlOf(shard.primary));
    }
  }

  /** @throws RedisUnavailable when that takes too long */
  #follow(slot: number, command: readonly string[], redirection: Redirection): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const end = new AbortController();
      const late = () => {
        end.abort();
        reject(redirection);
      };
      inTime(this.#redirect(slot, command, redirection, end.signal), redirectionTime, late).then(
        resolve,
        reject,
      );
    });
  }

  async #redirect(
    slot: number,
    command: readonly string[],
    first: Redirection,
    signal: AbortSignal,
  ): Promise<unknown> {
    let redirection = first;
    while (!signal.aborted) {
      try {
        return await this.#askAgain(slot, command, redirection);
      } catch (error) {
        if (!(error instanceof Redirection)) throw error;
        redirection = error;
      }
    }
    throw redirection;
  }

  async #askAgain(
    slot: number,
    command: readonly string[],
    { kind, address }: Redirection,
  ): Promise<unknown> {
    const target = this.#shards.find(({ primary }) => primary?.address === address);
    if (kind === 'ASK') {
      if (!target) throw new RedisUnavailable(`there is no connection to ${address}`);
      const { connection } = target;
      const [, reply] = await Promise.all([connection.ask(['ASKING']), connection.ask(command)]);
      return reply;
    }
    if (kind === 'TRYAGAIN') await delay(moveInterval);
    else if (target) this.#bySlot[slot] = target;
    else await this.#refresh();
    return this.#shardOf(slot).connection.ask(command);
  }
}

/** The hash tag of the first key of a command. */
function tagIn(command: readonly string[]): string {
  const key = command[command[0]?.startsWith('EVAL') ? 3 : 1] ?? '';
  return /\{(.+?)\}/.exec(key)?.[1] ?? key;
}

/** @throws RedisUnavailable */
async function listPrimaries(ask: Ask, url: string): Promise<readonly Primary[]> {
  const { host, hostname } = new URL(url);
  const primaries = parsePrimaries(await ask(['CLUSTER', 'SLOTS']), hostname.replace(/^\[|\]$/g, ''));
  if (primaries.length === 0) throw new RedisUnavailable(`the cluster of ${host} has no slots`);
  return primaries;
}

/**
 * Asks a node for the primaries over a connection of its own.
 *
 * @param timeout milliseconds that it has to reply
 * @throws RedisUnavailable
 */
export async function readPrimaries(url: string, timeout: number): Promise<readonly Primary[]> {
  let primaries: readonly Primary[] = [];
  const link = await Link.open(url, timeout, async (ask) => {
    primaries = await listPrimaries(ask, url);
  });
  link.close('asked');
  return primaries;
}
