import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Hex digits of a SHA-256 that make a checksum of the API. */
export const checksumLength = 12;

/** The checksum of a value: the first 12 hex digits of the SHA-256 of its canonical JSON (RFC 8785). */
export function checksumOf(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('This value has no JSON form.');
  return checksumOfText(text);
}

/** @param text canonical JSON */
export function checksumOfText(text: string): string {
  return shortChecksum(createHash('sha256').update(text).digest('hex'));
}

/** @param sha256 in hex */
export function shortChecksum(sha256: string): string {
  return sha256.slice(0, checksumLength);
}
