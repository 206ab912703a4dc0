import { isIP } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/** Bits of an IPv6 address that identify a network: a host can choose any address within it. */
const networkBits = 64;

/**
 * What limits by address count: an IPv4 address, or a /64 network of IPv6. An address that a proxy forwards may be
 * invalid: all invalid ones count as one.
 */
export function networkOf(ip: string): string {
  return isIP(ip) === 0 ? '' : ipKeyGenerator(ip, networkBits);
}
