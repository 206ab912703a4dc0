/** Hashes and checksums of the API, in every runtime: `crypto.subtle` hashes nothing at once, and not on plain HTTP. */
import canonicalize from 'canonicalize';

/** The first 32 bits of the fractional parts of a root of the first 64 primes (FIPS 180-4, 4.2.2 and 5.3.3). */
function rootsOfPrimes(count: number, root: number): Uint32Array {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return Uint32Array.from(primes, (prime) => (prime ** (1 / root) % 1) * 2 ** 32);
}

const constants = rootsOfPrimes(64, 3);
const start = rootsOfPrimes(8, 2);
const words = new Uint32Array(64);
const encoder = new TextEncoder();

/** Hex SHA-256 (FIPS 180-4) of bytes, or of a text in UTF-8. */
export function sha256Of(data: Uint8Array | string): string {
  const bytes = typeof data === 'string' ? encoder.encode(data) : data;
  const state = start.slice();
  const whole = bytes.length - (bytes.length % 64);
  hashBlocks(state, new DataView(bytes.buffer, bytes.byteOffset, whole));
  const end = new Uint8Array(bytes.length % 64 < 56 ? 64 : 128);
  end.set(bytes.subarray(whole));
  end[bytes.length % 64] = 0x80;
  const view = new DataView(end.buffer);
  view.setBigUint64(end.length - 8, BigInt(bytes.length) * 8n);
  hashBlocks(state, view);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function hashBlocks(state: Uint32Array, view: DataView): void {
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(at + index * 4);
    for (let index = 16; index < 64; index += 1) {
      const early = words[index - 15] as number;
      const late = words[index - 2] as number;
      const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
      const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
      words[index] = (words[index - 16] as number) + first + (words[index - 7] as number) + second;
    }
    let a = state[0] as number;
    let b = state[1] as number;
    let c = state[2] as number;
    let d = state[3] as number;
    let e = state[4] as number;
    let f = state[5] as number;
    let g = state[6] as number;
    let h = state[7] as number;
    for (let index = 0; index < 64; index += 1) {
      const high = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const sum =
        h + high + ((e & f) ^ (~e & g)) + (constants[index] as number) + (words[index] as number);
      const low = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      h = g;
      g = f;
      f = e;
      e = (d + sum) | 0;
      d = c;
      c = b;
      b = a;
      a = (sum + low + ((a & c) ^ (a & d) ^ (c & d))) | 0;
    }
    const sums = [a, b, c, d, e, f, g, h];
    for (let index = 0; index < 8; index += 1)
      state[index] = (state[index] as number) + (sums[index] as number);
  }
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The checksum of a value or of bytes: the first 12 hex digits of the SHA-256 of its canonical JSON (RFC 8785), or of them. */
export function checksum(value: unknown): string {
  return sha256Of(value instanceof Uint8Array ? value : (canonicalize(value) ?? '')).slice(0, 12);
}
