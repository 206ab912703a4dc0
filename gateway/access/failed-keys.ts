import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { type GatewayResponse, sendError } from '../http.ts';

declare module 'express-serve-static-core' {
  interface Request {
    rateLimit?: RateLimitInfo;
  }
}

/** Milliseconds of the window, from its first request on. */
const windowMs = 60_000;

/** The most recent addresses that are counted. */
const maxAddresses = 10_000;

/** Bits of an IPv6 address that identify a network: a host can choose any address within it. */
const networkBits = 64;

/**
 * Rejects requests whose key is unknown, expired or revoked: with 403 (section 5 of the specification), or with 429 once
 * an address has sent too many in a minute. Requests with a valid key from that address are not affected.
 */
export class FailedKeys {
  /** Requests rejected with 429. */
  limited = 0;
  readonly #limit: RequestHandler | undefined;

  /**
   * @param perMinute limit of one address, or one /64 network of IPv6; 0: no limit
   * @param count counts the requests of an address
   */
  constructor(perMinute: number, clock: Clock, count: CountFailedKey = countFailedKeys(clock)) {
    if (perMinute === 0) return;
    this.#limit = rateLimit({
      windowMs,
      limit: perMinute,
      keyGenerator: ({ ip = '' }) => networkOf(ip),
      skip: ({ ip = '' }) => isLoopback(ip),
      store: { increment: count, decrement() {}, resetKey() {} },
      standardHeaders: false,
      legacyHeaders: false,
      handler: ({ rateLimit: info }, response) => {
        this.limited += 1;
        const wait = (info?.resetTime?.getTime() ?? 0) - clock.now();
        sendError(response, 'rateLimitExceeded', {
          'Retry-After': String(Math.max(1, Math.ceil(wait / 1000))),
        });
      },
    });
  }

  /** Responds to a request whose key is invalid. */
  reject(request: Request, response: GatewayResponse): unknown {
    const invalid = () => sendError(response, 'invalidKey');
    return this.#limit ? this.#limit(request, response, invalid) : invalid();
  }
}

/** A local tool, or a proxy that TRUST_PROXY does not name: all of its clients would share one limit. */
function isLoopback(ip: string): boolean {
  return /^(::ffff:)?127\./i.test(ip) || ip === '::1';
}

/** The address that a proxy forwards may be invalid: all invalid ones share one limit. */
function networkOf(ip: string): string {
  return isIP(ip) === 0 ? '' : ipKeyGenerator(ip, networkBits);
}

interface Count {
  hits: number;
  /** Milliseconds of the clock's `elapsed`. */
  readonly endsAt: number;
}

/** Counts a request with an invalid key, and returns how many there were from its address in this minute. */
export type CountFailedKey = Store['increment'];

/** Counts by address, in bounded memory; express-rate-limit's own store has no bound. */
export function countFailedKeys(clock: Clock) {
  const counts = new LRUCache<string, Count>({ max: maxAddresses });
  return (address: string) => {
    const now = clock.elapsed() / 1000;
    const current = counts.get(address);
    const count = current && current.endsAt > now ? current : { hits: 0, endsAt: now + windowMs };
    count.hits += 1;
    if (count !== current) counts.set(address, count);
    return { totalHits: count.hits, resetTime: new Date(clock.now() + count.endsAt - now) };
  };
}
