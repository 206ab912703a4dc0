/** Counts by address in windows of time, in bounded memory, behind express-rate-limit. */
import { isIP } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

/** Bits of an IPv6 address that identify a network: a host can choose any address within it. */
const networkBits = 64;

/** An address with a port, or an IPv6 address in brackets: some proxies forward them like that. */
const withPort = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/;

/** What limits by address count: an IPv4 address, or a /64 network of IPv6. All invalid ones count as one. */
export function networkOf(ip: string): string {
  const [, v6, v4] = withPort.exec(ip) ?? [];
  const address = v6 ?? v4 ?? ip;
  const network = isIP(address) === 0 ? '' : ipKeyGenerator(address, networkBits);
  // Through a buffer: a slice would keep the whole header in memory.
  return Buffer.from(network, 'latin1').toString('latin1');
}

/** The most recent clients that are counted: a flood from many addresses fills no memory. */
const maxClients = 10_000;

export type WindowStore = ReturnType<typeof windowStore>;

/**
 * A store of express-rate-limit whose windows begin with the first hit of a client.
 *
 * @param windowMs length of a window in milliseconds
 */
export function windowStore(windowMs: number, clock: Clock) {
  /** `endsAt` is in milliseconds of the clock's `elapsed`. */
  const counts = new LRUCache<string, { hits: number; readonly endsAt: number }>({
    max: maxClients,
  });

  function count(client: string, hits: 0 | 1) {
    const now = clock.elapsed();
    const known = counts.get(client);
    const current = known && known.endsAt > now ? known : { hits: 0, endsAt: now + windowMs };
    current.hits += hits;
    if (current !== known && hits > 0) counts.set(client, current);
    return { totalHits: current.hits, resetTime: new Date(clock.now() + current.endsAt - now) };
  }

  return {
    increment: (client: string) => count(client, 1),
    /** The count that another hit would have. */
    peek(client: string) {
      const { totalHits, resetTime } = count(client, 0);
      return { totalHits: totalHits + 1, resetTime };
    },
    decrement() {},
    resetKey: (client: string) => void counts.delete(client),
  };
}

/** What all limits have in common: express-rate-limit's own headers describe one limit, and not ours. */
export const noHeaders = { standardHeaders: false, legacyHeaders: false, validate: false } as const;

/**
 * Limits requests by express-rate-limit.
 *
 * @param reject sends the response beyond the limit; it gets the seconds until the window ends, at least one
 */
export function limitWindow(
  options: Partial<Options>,
  clock: Clock,
  reject: (response: Response, seconds: number) => void,
): RequestHandler {
  return rateLimit({
    ...noHeaders,
    ...options,
    handler(request, response) {
      const { resetTime } = (request as Request & { rateLimit: { resetTime?: Date } }).rateLimit;
      const wait = Math.ceil(((resetTime?.getTime() ?? 0) - clock.now()) / 1000);
      reject(response, Math.max(1, wait));
    },
  });
}
