/** The hash slots of Redis Cluster, and which primary serves them. Pure. */
import { addressOf } from './address.ts';

export const slotCount = 16_384;

/** A primary of a cluster. */
export interface Primary {
  /** `HOST:PORT` */
  readonly address: string;
  /** Its slots: first and last of each range. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

/**
 * The slot of the keys with a hash tag: its CRC-16 (XMODEM) modulo the number of slots, as in the specification of Redis
 * Cluster.
 */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
  }
  return (crc & 0xffff) % slotCount;
}

/** A hash tag whose keys a primary serves. */
export function tagOf({ ranges }: Primary): string {
  for (let tag = 0; ; tag += 1) {
    const slot = slotOf(String(tag));
    if (ranges.some(([first, last]) => slot >= first && slot <= last)) return String(tag);
  }
}

/** An entry of CLUSTER SLOTS. Replicas follow the primary. */
type SlotRange = readonly [
  first: number,
  last: number,
  primary: readonly [host: string | null, port: number],
];

/**
 * Reads the reply to CLUSTER SLOTS.
 *
 * @param asked host of the node, without brackets that replied. It may not know its own address.
 */
export function parsePrimaries(reply: unknown, asked: string): readonly Primary[] {
  const primaries = new Map<string, [number, number][]>();
  for (const [first, last, [host, port]] of reply as readonly SlotRange[]) {
    const address = addressOf(host === null || host === '' || host === '?' ? asked : host, port);
    primaries.set(address, [...(primaries.get(address) ?? []), [first, last]]);
  }
  return [...primaries].map(([address, ranges]) => ({ address, ranges }));
}
