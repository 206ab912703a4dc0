import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit, type Store } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { type GatewayResponse, refuse } from '../http.ts';

/** Milliseconds from the first of the keys that count together. */
const windowMs = 60_000;

/** Addresses that are remembered: those that sent such keys last. */
const mostAddresses = 10_000;

/** Bits of an IPv6 address that one network has: within them a host may choose as many as it likes. */
const networkBits = 64;

/**
 * Refuses requests whose key is unknown, expired or revoked: with 403 (section 5 of the specification), and with 429
 * those beyond so many in a minute from one address. Whoever sends a valid key from there never comes by here.
 */
export class FailedKeys {
  readonly #limit: RequestHandler | undefined;
  #refused = 0;

  /** @param perMinute of one address, one /64 of IPv6; 0: as many as come */
  constructor(perMinute: number, clock: Clock) {
    if (perMinute === 0) return;
    this.#limit = rateLimit({
      windowMs,
      limit: perMinute,
      keyGenerator: ({ ip = '' }) => networkOf(ip),
      skip: ({ ip = '' }) => isLoopback(ip),
      store: new AddressStore(clock),
      standardHeaders: false,
      legacyHeaders: false,
      handler: ({ rateLimit: info }, response) => {
        this.#refused += 1;
        const wait = (info?.resetTime?.getTime() ?? 0) - clock.now();
        refuse(response, 'rateLimitExceeded', { 'Retry-After': String(Math.max(1, Math.ceil(wait / 1000))) });
      },
    });
  }

  /** Requests that were refused with 429. */
  get refused(): number {
    return this.#refused;
  }

  /** Answers a request whose key is none. */
  refuse(request: Request, response: GatewayResponse): unknown {
    const invalid = () => refuse(response, 'invalidKey');
    return this.#limit ? this.#limit(request, response, invalid) : invalid();
  }
}

/** A tool of this machine, or a proxy that TRUST_PROXY does not name: all of its clients would count together. */
function isLoopback(ip: string): boolean {
  return /^(::ffff:)?127\./i.test(ip) || ip === '::1';
}

/** What a proxy says need not be an address: all that is none counts together. */
function networkOf(ip: string): string {
  return isIP(ip) === 0 ? '' : ipKeyGenerator(ip, networkBits);
}

interface Count {
  hits: number;
  /** Milliseconds of the clock's `elapsed`. */
  readonly endsAt: number;
}

/** Counts by address, in bounded memory; express-rate-limit's own store keeps as many addresses as come. */
class AddressStore implements Store {
  readonly #clock: Clock;
  readonly #counts: LRUCache<string, Count>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#counts = new LRUCache({ max: mostAddresses });
  }

  increment(address: string): { totalHits: number; resetTime: Date } {
    const now = this.#clock.elapsed() / 1000;
    const known = this.#counts.get(address);
    const count = known && known.endsAt > now ? known : { hits: 0, endsAt: now + windowMs };
    count.hits += 1;
    if (count !== known) this.#counts.set(address, count);
    return { totalHits: count.hits, resetTime: new Date(this.#clock.now() + count.endsAt - now) };
  }

  /** Nothing is given back. */
  decrement(): void {}

  /** No one asks for it. */
  resetKey(): void {}
}
