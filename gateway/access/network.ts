import { isIP } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/** Bits of an IPv6 address that identify a network: a host can choose any address within it. */
const networkBits = 64;

/** An address with a port, or an IPv6 address in brackets: some proxies forward them like that. */
const withPort = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/;

/**
 * What limits by address count: an IPv4 address, or a /64 network of IPv6. An address that a proxy forwards may have
 * a port, and may be invalid: all invalid ones count as one.
 */
export function networkOf(ip: string): string {
  const [, v6, v4] = withPort.exec(ip) ?? [];
  const address = v6 ?? v4 ?? ip;
  const network = isIP(address) === 0 ? '' : ipKeyGenerator(address, networkBits);
  // Through a buffer: a slice would keep the whole header in memory.
  return Buffer.from(network, 'latin1').toString('latin1');
}
