import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An API key: a prefix, 32 random bytes in base62, and a checksum of six characters over both. The
 * checksum refuses a typing error or a random guess without a look-up, and lets leak scanners tell a key
 * from a string that looks like one.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
/** Base62 digits of 32 bytes, and of the 32 bits of a CRC. */
const bodyLength = 43;
const checksumLength = 6;
/** Characters kept in clear, by which people tell their keys apart: the prefix and this many more. */
const startLength = 4;

/** Makes a new key. It is a secret: show it once and keep its hash. */
export function generateKey(prefix: string): string {
  const random = BigInt(`0x${randomBytes(randomLength).toString('hex')}`);
  const body = prefix + base62(random);
  return body + checksum(body);
}

/** Whether a token has the form of a key, its checksum included. */
export function isWellFormed(token: string, prefix: string): boolean {
  if (!token.startsWith(prefix) || token.length !== prefix.length + bodyLength + checksumLength) return false;
  const body = token.slice(0, -checksumLength);
  return token.endsWith(checksum(body));
}

/** What is stored of a key, and by what it is looked up: its SHA-256 in hex. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** The first characters of a key, to be shown in lists. */
export function startOf(key: string, prefix: string): string {
  return key.slice(0, prefix.length + startLength);
}

function checksum(body: string): string {
  let digits = '';
  // Not by `base62`: every token that is sent is checked, and numbers are quicker than BigInts.
  for (let rest = crc32(body); digits.length < checksumLength; rest = Math.floor(rest / alphabet.length)) {
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
