import { createHash } from 'node:crypto';

/**
 * RFC 8785 for the values that the service serves: strings, integers, booleans, arrays and objects. Names are sorted
 * by UTF-16 units (3.2.3), as JavaScript compares strings. Strings and numbers are written as by `JSON.stringify`
 * (3.2.2).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(',')}}`;
}

/** The first 12 hex digits of SHA-256. */
export function checksum(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 12);
}
