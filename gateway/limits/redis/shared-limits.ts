import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Plan } from '../../../build/release/plans.ts';
import { type Clock, systemClock } from '../../clock.ts';
import type { RedisLocation } from '../../config-values.ts';
import { type Log, type OutageLog, outageLog, reasonOf } from '../../log/logger.ts';
import type { Decision } from '../decision.ts';
import { type InProcessLimits, inProcessLimits } from '../in-process.ts';
import { type LimitStore, RedisUnavailable, type UsageReader } from '../store.ts';
import type { Ask, RedisClient } from './client.ts';
import { type Connection, redisConnection } from './connection.ts';
import { type RedisLimits, redisLimits } from './redis-limits.ts';
import { type LastTotals, redisLedger, redisUsage } from './redis-usage.ts';
import { scripts as defaultScripts, probeName, type Scripts } from './scripts.ts';

/** Flushes of own counts before Redis decides again. */
const maxFlushes = 5;

/** Milliseconds between attempts to reconnect. */
const retryInterval = 500;

/** Accounts and months whose last totals are cached. */
const maxTotals = 50_000;

/**
 * Milliseconds that Redis has to reply. A higher value makes pending requests wait longer, once, when Redis hangs; a
 * lower one makes the limits less exact when Redis is only busy.
 */
export const defaultTimeout = 500;

/** What Redis is used for. */
interface Purpose {
  /** Sends the first commands over a new connection. `tag` is a hash tag whose keys the primary serves. */
  greet(redis: RedisLimits, ask: Ask, tag: string): Promise<unknown>;
  /** What an outage means, and its end, for the log. */
  readonly outage: string;
  readonly end: (decidedAlone: number) => string;
}

const limiting: Purpose = {
  greet: (redis, ask, tag) => redis.greet(ask, tag),
  outage: 'this gateway enforces limits by itself',
  end: (decidedAlone) =>
    `Since its start, this gateway has decided on ${decidedAlone} requests by itself.`,
};

const reading: Purpose = {
  greet: (_redis, ask, tag) => ask(probeName(tag), ['EXISTS', probeName(tag)]),
  outage: 'usage cannot be shown',
  end: () => 'Usage can be shown.',
};

/** What all primaries have in common. */
interface Shared {
  readonly connection: Connection;
  readonly purpose: Purpose;
  readonly log: Log;
  /** Aborts when the limits are closed. */
  readonly closing: AbortSignal;
}

/** A server, or a primary of a cluster and the replicas that may replace it, and the limits of its accounts. */
class Primary {
  /** `HOST:PORT`; empty for a server. A replica that is promoted has another one. */
  address: string;
  /** A hash tag whose keys it serves. */
  readonly tag: string;
  /** Whether it decides, and not this replica alone. */
  isAvailable = false;
  /** Requests that this replica has decided on alone since it started. */
  decidedAlone = 0;
  /** Resolves after the first attempt to connect. */
  readonly opened: Promise<void>;
  readonly #redis: RedisLimits;
  readonly #own: InProcessLimits;
  readonly #shared: Shared;
  readonly #outage: OutageLog;
  /** The client over which it was not available. */
  #failed: RedisClient | undefined;
  /** Milliseconds of a monotonic clock. */
  #attemptedAt = Number.NEGATIVE_INFINITY;

  /** @param own limits of this replica alone, whose ledger is the same Redis */
  constructor(
    address: string,
    tag: string,
    redis: RedisLimits,
    own: InProcessLimits,
    shared: Shared,
  ) {
    this.address = address;
    this.tag = tag;
    this.#redis = redis;
    this.#own = own;
    this.#shared = shared;
    this.#outage = outageLog(shared.log);
    this.opened = this.#reconnect();
  }

  take(account: string, plan: Plan, key: string): Decision | Promise<Decision> {
    if (!this.isAvailable) return this.#takeAlone(account, plan, key);
    return this.#redis.take(account, plan, key).catch((error: unknown) => {
      if (error instanceof RedisUnavailable) return this.#takeAlone(account, plan, key);
      throw error;
    });
  }

  /** Pending commands fail, and this replica decides alone until there is a new connection. */
  fail(reason: string, client: RedisClient): void {
    this.#failed = client;
    client.disconnect(this.address);
    if (!this.isAvailable) return;
    this.isAvailable = false;
    this.#logOutage(reason);
    void this.#reconnect();
  }

  /** @throws RedisUnavailable when counts remain that Redis does not have */
  close(): Promise<void> {
    return this.#own.close();
  }

  #takeAlone(account: string, plan: Plan, key: string): Decision | Promise<Decision> {
    this.decidedAlone += 1;
    return this.#own.take(account, plan, key);
  }

  /** Resolves after the first attempt; after a failure others follow. */
  async #reconnect(): Promise<void> {
    const { connection, purpose, closing: signal } = this.#shared;
    const wait = this.#attemptedAt + retryInterval - performance.now();
    if (wait > 0) await delay(wait, undefined, { ref: false, signal }).catch(() => {});
    if (signal.aborted) return;
    this.#attemptedAt = performance.now();
    try {
      await connection.replace(this.#failed, (ask) => purpose.greet(this.#redis, ask, this.tag));
      // What was counted alone is merged before Redis decides. Requests continue to arrive meanwhile, and count.
      for (let flushes = 0; flushes < maxFlushes && this.#own.hasUnwritten(); flushes += 1)
        await this.#own.flush();
    } catch (error) {
      if (signal.aborted) return;
      this.#logOutage(reasonOf(error));
      void this.#reconnect();
      return;
    }
    this.isAvailable = true;
    const current = connection.client?.primaryOf(this.tag) ?? '';
    this.#outage.end(`${nameOf(current)} is available again. ${purpose.end(this.decidedAlone)}`);
  }

  #logOutage(reason: string): void {
    const { outage } = this.#shared.purpose;
    this.#outage.begin(
      `${nameOf(this.address)} is unavailable (${reason}). Until it is available again, ${outage}.`,
    );
  }
}

/** The name of a primary in log lines. */
function nameOf(address: string): string {
  return address === '' ? 'Redis' : `Redis at ${address}`;
}

/** Who decides, for metrics. */
export interface SharedState {
  /** Whether Redis decides, and not this replica alone. */
  readonly isShared: boolean;
  /** Requests that this replica has decided on alone since it started. */
  readonly decidedAlone: number;
}

/** A hash tag whose keys a primary serves. */
function tagAt(address: string, client: RedisClient | undefined): string {
  let tag = 0;
  while (client && client.primaryOf(String(tag)) !== address) tag += 1;
  return String(tag);
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
export function openSharedLimits(options: SharedLimitsOptions): Promise<OpenedLimits> {
  return open(options, limiting);
}

/** Opens the usage that gateways count in Redis, for the authentication service. */
export function openSharedUsage(
  location: RedisLocation,
  log: Log,
): Promise<Pick<OpenedLimits, 'usage' | 'close'>> {
  return open({ location, clock: systemClock, log }, reading);
}

/**
 * Opens limits that replicas share in Redis. While it is unavailable, each replica decides by itself, starting from the
 * last totals, and merges its counts when Redis is back. In a cluster, that applies to the accounts of one primary.
 */
async function open(
  { location, clock, log, timeout = defaultTimeout, scripts = defaultScripts }: SharedLimitsOptions,
  purpose: Purpose,
): Promise<OpenedLimits> {
  const primaries: Primary[] = [];
  const byAddress = new Map<string, Primary>();
  const totals: LastTotals = new LRUCache({ max: maxTotals });
  const connection = redisConnection(location, timeout, (reason, primary, client) =>
    byAddress.get(primary)?.fail(reason, client),
  );
  const { ask } = connection;
  const closing = new AbortController();
  const shared = { connection, purpose, log, closing: closing.signal };

  function create(address: string, tag: string): Primary {
    // Each primary has a clock of its own.
    const redis = redisLimits(ask, scripts.take, totals, clock, timeout);
    const own = inProcessLimits(redisLedger(ask, scripts.add, totals), clock, log);
    return new Primary(address, tag, redis, own, shared);
  }

  function primaryAt(address: string): Primary {
    const known = byAddress.get(address);
    if (known) return known;
    const { client } = connection;
    // A replica that was promoted serves the slots of its primary.
    const replaced = primaries.find(
      ({ tag, address: former }) =>
        client?.primaryOf(tag) === address && !client.primaries.includes(former),
    );
    const primary = replaced ?? create(address, tagAt(address, client));
    if (!replaced) primaries.push(primary);
    byAddress.delete(primary.address);
    primary.address = address;
    byAddress.set(address, primary);
    return primary;
  }

  async function close(): Promise<void> {
    const closed = await Promise.allSettled(primaries.map((primary) => primary.close()));
    closing.abort();
    connection.close();
    for (const result of closed) if (result.status === 'rejected') throw result.reason;
  }

  // The first attempt to connect to each primary. Until a node of a cluster has listed them, there is one for all
  // accounts.
  await primaryAt('').opened;
  await Promise.all(
    (connection.client?.primaries ?? []).map((address) => primaryAt(address).opened),
  );
  return {
    limits: {
      get isShared(): boolean {
        const { client } = connection;
        const current = primaries.filter(
          ({ address }) => client?.primaries.includes(address) ?? true,
        );
        return current.every(({ isAvailable }) => isAvailable);
      },
      get decidedAlone(): number {
        return primaries.reduce((sum, { decidedAlone }) => sum + decidedAlone, 0);
      },
      take(account, plan, key = '') {
        return primaryAt(connection.client?.primaryOf(account) ?? '').take(account, plan, key);
      },
      close,
    },
    usage: redisUsage(ask),
    close,
  };
}
