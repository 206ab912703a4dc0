import { LRUCache } from 'lru-cache';
import type { Plan } from '../../../build/release/plans.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log/logger.ts';
import type { Decision } from '../decision.ts';
import { InProcessLimits } from '../in-process.ts';
import { type LimitStore, RedisUnavailable, type UsageReader } from '../store.ts';
import { type AvailabilityListener, RedisConnection } from './connection.ts';
import { type RedisLimits, redisLimits } from './redis-limits.ts';
import { type LastTotals, redisLedger, redisUsage } from './redis-usage.ts';
import { scripts as defaultScripts, type Scripts } from './scripts.ts';

/** Flushes of own counts before Redis decides again: requests continue to arrive meanwhile, and count. */
const maxFlushes = 5;

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
export class SharedLimits implements LimitStore, AvailabilityListener {
  readonly #redis: RedisLimits;
  readonly #own: InProcessLimits;
  readonly #log: Log;
  /** Whether Redis decides, and not this replica alone. */
  isShared = false;
  /** Requests that this replica has decided on alone since it started. */
  decidedAlone = 0;
  #outages = 0;

  /** @param own limits of this replica alone, whose ledger is the same Redis */
  constructor(redis: RedisLimits, own: InProcessLimits, log: Log) {
    this.#redis = redis;
    this.#own = own;
    this.#log = log;
  }

  take(account: string, plan: Plan): Decision | Promise<Decision> {
    if (!this.isShared) return this.#takeAlone(account, plan);
    return this.#redis.take(account, plan).catch((error: unknown) => {
      if (error instanceof RedisUnavailable) return this.#takeAlone(account, plan);
      throw error;
    });
  }

  /** @throws RedisUnavailable when counts remain that Redis does not have */
  close(): Promise<void> {
    return this.#own.close();
  }

  connected(): void {
    void this.#share(this.#outages);
  }

  disconnected(reason: string): void {
    this.isShared = false;
    this.#outages += 1;
    this.#log(`Redis is away (${reason}). This replica keeps limits by itself until it is back.`);
  }

  /** Merges what was counted alone before Redis decides. */
  async #share(outages: number): Promise<void> {
    try {
      for (let flushes = 0; flushes < maxFlushes && this.#own.hasUnwritten; flushes += 1)
        await this.#own.flush();
    } catch {
      // Redis is down again. The counts are merged when it is back.
      return;
    }
    if (outages !== this.#outages) return;
    this.isShared = true;
    if (outages === 0) return;
    this.#log(
      `Redis is back. Since its start, this replica has decided on ${this.decidedAlone} requests alone.`,
    );
  }

  #takeAlone(account: string, plan: Plan): Decision | Promise<Decision> {
    this.decidedAlone += 1;
    return this.#own.take(account, plan);
  }
}

/** What a replica uses of Redis. */
export interface OpenedLimits {
  readonly limits: SharedLimits;
  readonly usage: UsageReader;
  /** @throws RedisUnavailable when counts remain that Redis does not have */
  close(): Promise<void>;
}

export interface SharedLimitsOptions {
  /** `redis://` or `rediss://` */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds that Redis has to reply. */
  readonly timeout?: number;
  readonly scripts?: Scripts;
}

/** Opens the limits that gateways share. If Redis is unavailable, they begin as in an outage. */
export async function openSharedLimits({
  url,
  clock,
  log,
  timeout = defaultTimeout,
  scripts = defaultScripts,
}: SharedLimitsOptions): Promise<OpenedLimits> {
  const connection = new RedisConnection(url, timeout);
  const { ask } = connection;
  const totals: LastTotals = new LRUCache({ max: maxTotals });
  const shared = redisLimits(ask, scripts.take, totals, clock, timeout);
  const own = new InProcessLimits(redisLedger(ask, scripts.add, totals), clock, log);
  const limits = new SharedLimits(shared, own, log);
  await connection.open((link) => shared.greet(link), limits);
  return {
    limits,
    usage: redisUsage(ask),
    close: () => limits.close().finally(() => connection.close()),
  };
}

/** Opens the usage that gateways count in Redis, for the authentication service. */
export async function openSharedUsage(url: string, log: Log): Promise<Pick<OpenedLimits, 'usage' | 'close'>> {
  const connection = new RedisConnection(url, defaultTimeout);
  let outages = 0;
  await connection.open((link) => link(['PING']), {
    connected: () => outages > 0 && log('Redis is back: usage can be shown again.'),
    disconnected: (reason) => {
      outages += 1;
      log(`Redis is away (${reason}): usage cannot be shown until it is back.`);
    },
  });
  return { usage: redisUsage(connection.ask), close: () => connection.close() };
}
