export const slotCount = 16_384;

/**
 * The hash slot of the keys with a hash tag, as in the specification of Redis Cluster: its CRC-16 (XMODEM) modulo the
 * number of slots. @redis/client routes commands, but does not export which slot a key has.
 */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
  }
  return (crc & 0xffff) % slotCount;
}
