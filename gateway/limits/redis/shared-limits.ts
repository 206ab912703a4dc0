import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Plan } from '../../../build/release/plans.ts';
import type { Clock } from '../../clock.ts';
import type { RedisLocation } from '../../config-values.ts';
import type { Log } from '../../log/logger.ts';
import type { Decision } from '../decision.ts';
import { InProcessLimits } from '../in-process.ts';
import { type LimitStore, RedisUnavailable, type UsageReader } from '../store.ts';
import type { Cluster, ShardUser } from './cluster.ts';
import { type Ask, type FindPrimary, RedisConnection } from './connection.ts';
import { type RedisLimits, redisLimits } from './redis-limits.ts';
import { type LastTotals, redisLedger, redisUsage } from './redis-usage.ts';
import { scripts as defaultScripts, type Scripts } from './scripts.ts';

/** Flushes of own counts before Redis decides again: requests continue to arrive meanwhile, and count. */
const maxFlushes = 5;

/** Milliseconds between attempts to write them. */
const mergeInterval = 500;

/** Milliseconds between checks whether Sentinels have promoted a replica. */
const sentinelInterval = 1000;

/** Accounts and months whose last totals are cached. */
const maxTotals = 50_000;

/**
 * Milliseconds that Redis has to reply. A higher value makes pending requests wait longer, once, when Redis hangs; a lower
 * one makes the limits less exact when Redis is only busy.
 */
export const defaultTimeout = 500;

/**
 * Limits that replicas share in Redis. While it is unavailable, each replica decides by itself, starting from the last
 * totals, and merges its counts when Redis is back.
 */
class SharedLimits implements LimitStore, SharedState, ShardUser {
  readonly #redis: RedisLimits;
  readonly #own: InProcessLimits;
  readonly #log: Log;
  readonly #name: () => string;
  /** Whether Redis decides, and not this replica alone. */
  isShared = false;
  /** Requests that this replica has decided on alone since it started. */
  decidedAlone = 0;
  #outages = 0;
  #isClosed = false;

  /**
   * @param own limits of this replica alone, whose ledger is the same Redis
   * @param name of that Redis in log lines
   */
  constructor(redis: RedisLimits, own: InProcessLimits, log: Log, name = () => 'Redis') {
    this.#redis = redis;
    this.#own = own;
    this.#log = log;
    this.#name = name;
  }

  greet(ask: Ask, tag?: string): Promise<void> {
    return this.#redis.greet(ask, tag);
  }

  take(account: string, plan: Plan, key = ''): Decision | Promise<Decision> {
    if (!this.isShared) return this.#takeAlone(account, plan, key);
    return this.#redis.take(account, plan, key).catch((error: unknown) => {
      if (error instanceof RedisUnavailable) return this.#takeAlone(account, plan, key);
      throw error;
    });
  }

  /** @throws RedisUnavailable when counts remain that Redis does not have */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#own.close();
  }

  connected(): void {
    void this.#share(this.#outages);
  }

  disconnected(reason: string): void {
    this.isShared = false;
    this.#outages += 1;
    this.#log(
      `${this.#name()} is unavailable (${reason}). Until it is available again, this gateway enforces limits by itself.`,
    );
  }

  /** Merges what was counted alone before Redis decides. */
  async #share(outages: number): Promise<void> {
    while (!(await this.#merge())) {
      // Redis is down again, or in a cluster, another shard that accounts have moved to.
      await delay(mergeInterval, undefined, { ref: false });
      if (this.#isClosed || outages !== this.#outages) return;
    }
    if (outages !== this.#outages) return;
    this.isShared = true;
    if (outages === 0) return;
    this.#log(
      `${this.#name()} is available again. Since its start, this gateway has decided on ${this.decidedAlone} requests by itself.`,
    );
  }

  /** Whether the counts could be written. */
  async #merge(): Promise<boolean> {
    try {
      for (let flushes = 0; flushes < maxFlushes && this.#own.hasUnwritten; flushes += 1)
        await this.#own.flush();
      return true;
    } catch {
      return false;
    }
  }

  #takeAlone(account: string, plan: Plan, key: string): Decision | Promise<Decision> {
    this.decidedAlone += 1;
    return this.#own.take(account, plan, key);
  }
}

/** Who decides, for metrics. */
export interface SharedState {
  /** Whether Redis decides, and not this replica alone. */
  readonly isShared: boolean;
  /** Requests that this replica has decided on alone since it started. */
  readonly decidedAlone: number;
}

/** Limits that replicas share in a Redis Cluster: each shard has the limits of its accounts. */
class ClusterLimits implements LimitStore, SharedState {
  readonly #cluster: Cluster<SharedLimits>;
  readonly #all: readonly SharedLimits[];

  /** @param all limits of the shards that the cluster has or had */
  constructor(cluster: Cluster<SharedLimits>, all: readonly SharedLimits[]) {
    this.#cluster = cluster;
    this.#all = all;
  }

  get isShared(): boolean {
    return this.#cluster.users.every(({ isShared }) => isShared);
  }

  get decidedAlone(): number {
    return this.#all.reduce((sum, { decidedAlone }) => sum + decidedAlone, 0);
  }

  take(account: string, plan: Plan, key?: string): Decision | Promise<Decision> {
    return this.#cluster.userOf(account).take(account, plan, key);
  }

  async close(): Promise<void> {
    const closed = await Promise.allSettled(this.#all.map((limits) => limits.close()));
    for (const result of closed) if (result.status === 'rejected') throw result.reason;
  }
}

/** What a replica uses of Redis. */
export interface OpenedLimits {
  readonly limits: LimitStore & SharedState;
  readonly usage: UsageReader;
  /** @throws RedisUnavailable when counts remain that Redis does not have */
  close(): Promise<void>;
}

export interface SharedLimitsOptions {
  readonly location: RedisLocation;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds that Redis has to reply. */
  readonly timeout?: number;
  readonly scripts?: Scripts;
}

/** Opens the limits that gateways share. If Redis is unavailable, they begin as in an outage. */
export async function openSharedLimits({
  location,
  clock,
  log,
  timeout = defaultTimeout,
  scripts = defaultScripts,
}: SharedLimitsOptions): Promise<OpenedLimits> {
  const totals: LastTotals = new LRUCache({ max: maxTotals });
  const all: SharedLimits[] = [];
  const connection = await connect(location, timeout, (ask, name) => {
    // Each primary has a clock of its own.
    const shared = redisLimits(ask, scripts.take, totals, clock, timeout);
    const own = new InProcessLimits(redisLedger(ask, scripts.add, totals), clock, log);
    const limits = new SharedLimits(shared, own, log, name);
    all.push(limits);
    return limits;
  });
  const { ask, cluster } = connection;
  const limits = cluster ? new ClusterLimits(cluster, all) : (all[0] as SharedLimits);
  return { limits, usage: redisUsage(ask), close: () => limits.close().finally(() => connection.close()) };
}

/** Opens the usage that gateways count in Redis, for the authentication service. */
export async function openSharedUsage(
  location: RedisLocation,
  log: Log,
): Promise<Pick<OpenedLimits, 'usage' | 'close'>> {
  const { ask, close } = await connect(location, defaultTimeout, (_, name) => {
    let outages = 0;
    return {
      greet: (link) => link(['PING']),
      connected: () => outages > 0 && log(`${name()} is available again. Usage can be shown.`),
      disconnected: (reason) => {
        outages += 1;
        log(`${name()} is unavailable (${reason}). Until it is available again, usage cannot be shown.`);
      },
    };
  });
  return { usage: redisUsage(ask), close };
}

/** Connections to a server, to the primary that Sentinels monitor, or to all primaries of a cluster. */
interface Connected<User extends ShardUser> {
  /** Sends a command to the primary that has its key. */
  readonly ask: Ask;
  /** Undefined if there is one primary. */
  readonly cluster?: Cluster<User>;
  close(): Promise<void>;
}

/**
 * Resolves after the first attempt to connect.
 *
 * @param createUser creates the user of a primary
 */
async function connect<User extends ShardUser>(
  location: RedisLocation,
  timeout: number,
  createUser: (ask: Ask, name: () => string) => User,
): Promise<Connected<User>> {
  if (location.kind === 'cluster') {
    const { Cluster } = await import('./cluster.ts');
    const cluster: Cluster<User> = new Cluster(location.urls, timeout, (name) =>
      createUser((command) => cluster.ask(command), name),
    );
    await cluster.open();
    return { ask: cluster.ask, cluster, close: () => cluster.close() };
  }
  const isSentinel = location.kind === 'sentinel';
  const connection = new RedisConnection(await primaryOf(location, timeout), timeout, {
    ...(isSentinel && { checkInterval: sentinelInterval }),
  });
  const { ask } = connection;
  const user = createUser(ask, () => 'Redis');
  await connection.open((link) => user.greet(link), user);
  return { ask, close: () => connection.close() };
}

async function primaryOf(
  location: Exclude<RedisLocation, { kind: 'cluster' }>,
  timeout: number,
): Promise<FindPrimary> {
  if (location.kind === 'server') return async () => location.url;
  const { findPrimary } = await import('./sentinel.ts');
  return () => findPrimary(location, timeout);
}
