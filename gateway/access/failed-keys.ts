import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { type GatewayResponse, sendError } from '../http.ts';
import { networkOf } from './network.ts';

/** Milliseconds of the window, from its first request on. */
const windowMs = 60_000;

/** The most recent addresses that are counted. */
const maxAddresses = 10_000;

export type FailedKeys = ReturnType<typeof openFailedKeys>;

/**
 * Rejects requests whose key is unknown, expired or revoked: with 403 (section 5 of the specification), or with 429
 * once an address has sent too many in a minute. Requests with a valid key from that address are not affected.
 *
 * @param perMinute limit of one address, or one /64 network of IPv6; 0: no limit
 * @param count counts the requests of an address
 */
export function openFailedKeys(
  perMinute: number,
  clock: Clock,
  count: CountFailedKey = countFailedKeys(clock),
) {
  const failedKeys = {
    /** Requests rejected with 429. */
    limited: 0,
    /** Responds to a request whose key is invalid. */
    reject({ ip = '' }: Request, response: GatewayResponse): unknown {
      if (perMinute === 0) return sendError(response, 'invalidKey');
      const counted = count(networkOf(ip));
      return counted instanceof Promise
        ? counted.then((it) => respond(response, it))
        : respond(response, counted);
    },
  };

  function respond(response: GatewayResponse, { totalHits, resetTime }: FailedKeyCount): unknown {
    if (totalHits <= perMinute) return sendError(response, 'invalidKey');
    failedKeys.limited += 1;
    const wait = Math.ceil((resetTime - clock.now()) / 1000);
    return sendError(response, 'rateLimitExceeded', { 'Retry-After': String(Math.max(1, wait)) });
  }

  return failedKeys;
}

/** Requests with invalid keys from one address in this minute. */
export interface FailedKeyCount {
  readonly totalHits: number;
  /** When the minute ends: milliseconds since 1970, UTC. */
  readonly resetTime: number;
}

/** Counts a request with an invalid key from an address. */
export type CountFailedKey = (address: string) => FailedKeyCount | Promise<FailedKeyCount>;

/** Counts by address, in bounded memory. */
export function countFailedKeys(clock: Clock) {
  /** `endsAt` is in milliseconds of the clock's `elapsed`. */
  const counts = new LRUCache<string, { hits: number; readonly endsAt: number }>({
    max: maxAddresses,
  });
  return (address: string): FailedKeyCount => {
    const now = clock.elapsed();
    const current = counts.get(address);
    const count = current && current.endsAt > now ? current : { hits: 0, endsAt: now + windowMs };
    count.hits += 1;
    if (count !== current) counts.set(address, count);
    return { totalHits: count.hits, resetTime: clock.now() + count.endsAt - now };
  };
}
