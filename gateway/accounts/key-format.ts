import { crc32 } from 'node:zlib';
import type { System } from '../system.ts';

/**
 * An API key: a prefix, 32 random bytes in base62, and a checksum of six characters over both. The checksum rejects
 * typing errors and guesses without a database query, and lets leak scanners recognize a key.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
/** Base62 digits of 32 bytes, and of the 32 bits of a CRC. */
const bodyLength = 43;
const checksumLength = 6;
/** Characters stored in the clear, so that users can tell keys apart: the prefix and this many more. */
const startLength = 4;

/** Generates a key. It is a secret: show it once, and store its hash. */
export function generateKey(prefix: string, { randomBytes }: Pick<System, 'randomBytes'>): string {
  const random = BigInt(`0x${randomBytes(randomLength).toString('hex')}`);
  const body = prefix + base62(random);
  return body + checksum(body);
}

/** Whether a token has the form and checksum of a key. */
export function isWellFormed(token: string, prefix: string): boolean {
  if (!token.startsWith(prefix) || token.length !== prefix.length + bodyLength + checksumLength)
    return false;
  const body = token.slice(0, -checksumLength);
  return token.endsWith(checksum(body));
}

/** The first characters of a key, for lists. */
export function startOf(key: string, prefix: string): string {
  return key.slice(0, prefix.length + startLength);
}

function checksum(body: string): string {
  let digits = '';
  // Without `base62`: this runs for every token, and numbers are faster than BigInts.
  for (
    let rest = crc32(body);
    digits.length < checksumLength;
    rest = Math.floor(rest / alphabet.length)
  ) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
  }
  return digits;
}

function base62(value: bigint): string {
  let digits = '';
  for (let rest = value; digits.length < bodyLength; rest /= 62n)
    digits = alphabet[Number(rest % 62n)] + digits;
  return digits;
}
