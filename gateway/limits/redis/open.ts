import type { Clock } from '../../clock.ts';
import type { Log } from '../../log/log.ts';
import { InProcessLimits } from '../in-process.ts';
import type { UsageReader } from '../ledger.ts';
import { RedisConnection } from './connection.ts';
import { RedisLedger } from './redis-ledger.ts';
import { RedisLimits } from './redis-limits.ts';
import { RedisUsage } from './redis-usage.ts';
import type { Scripts } from './scripts.ts';
import { SeenTotals } from './seen-totals.ts';
import { SharedLimits } from './shared-limits.ts';

/** What a replica takes from Redis. */
export interface OpenedLimits {
  readonly limits: SharedLimits;
  readonly usage: UsageReader;
  /** @throws RedisAway when there are counts that Redis does not have */
  close(): Promise<void>;
}

/**
 * Milliseconds that Redis has for an answer. One that hangs costs the requests under way this much, once; one that is
 * but busy, and is given up for that, costs the exactness of the limits.
 */
export const usualPatience = 500;

/** What shared limits are opened with. */
export interface SharedParts {
  /** `redis://` or `rediss://` */
  readonly url: string;
  /** Milliseconds that Redis has for an answer. */
  readonly patience: number;
  readonly scripts: Scripts;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the limits that a gateway shares with others. Where Redis cannot be asked, it begins as in an outage. */
export async function openSharedLimits(parts: SharedParts): Promise<OpenedLimits> {
  const { url, patience, scripts, clock, log } = parts;
  const connection = new RedisConnection(url, patience);
  const { ask } = connection;
  const seen = new SeenTotals();
  const shared = new RedisLimits(ask, scripts.take, seen, clock, patience);
  const own = new InProcessLimits(new RedisLedger(ask, scripts.add, seen), clock, log);
  const limits = new SharedLimits(shared, own, log);
  await connection.open((link) => shared.greet(link), limits);
  return {
    limits,
    usage: new RedisUsage(ask),
    close: () => limits.close().finally(() => connection.close()),
  };
}

/** Opens what gateways count in Redis, for the authentication service to show. */
export async function openSharedUsage(url: string, log: Log): Promise<Pick<OpenedLimits, 'usage' | 'close'>> {
  const connection = new RedisConnection(url, usualPatience);
  let outages = 0;
  await connection.open((link) => link(['PING']), {
    came: () => outages > 0 && log('Redis is back: usage can be shown again.'),
    went: (reason) => {
      outages += 1;
      log(`Redis is away (${reason}): usage cannot be shown until it is back.`);
    },
  });
  return { usage: new RedisUsage(connection.ask), close: () => connection.close() };
}
