import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Hex digits of SHA-256 in a checksum of the API. */
export const checksumLength = 12;

/** The checksum of a value: the first 12 hex digits of the SHA-256 of its canonical JSON (RFC 8785). */
export function checksumOf(value: unknown): string {
  return checksumOfText(canonicalText(value));
}

/** The canonical JSON of a value. @throws TypeError when JSON cannot represent it */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('This value cannot be represented in JSON.');
  return text;
}

/** @param text canonical JSON */
export function checksumOfText(text: string): string {
  return shortChecksum(hash('sha256', text));
}

/** @param sha256 in hex */
export function shortChecksum(sha256: string): string {
  return sha256.slice(0, checksumLength);
}
