/**
 * Header fields of answers that the build knows beforehand. The gateway sends them, the files for other hosts and
 * the description of the API tell them.
 */
import { pagePolicy } from './page-policy.ts';

/** What every answer bears: a body is what its type says, and nothing else. */
export const everyAnswer = { 'X-Content-Type-Options': 'nosniff' } as const;

/** How long caches keep what (RFC 9111, 5.2). */
export const cacheControl = {
  public: 'public, max-age=300, stale-while-revalidate=86400',
  /** Kept by who asked alone, and asked about each time. */
  protected: 'private, no-cache',
  /** A missing public resource may appear with the next release. */
  missing: 'public, max-age=60',
  error: 'no-store',
} as const;

/** What of a request an answer depends on (RFC 9110, 12.5.5). */
export const vary = { public: 'Accept-Encoding', protected: 'Authorization, Accept-Encoding' } as const;

/** Scripts of any origin may read what needs no key. */
export const anyOrigin = { 'Access-Control-Allow-Origin': '*' } as const;

/** What names a request in the service's log: an answer with status 500 or above bears it. */
export const requestIdField = 'X-Request-Id';

/** Between the scripts of listed origins and protected answers (Fetch, 3.3.3): what they may read, what send. */
export const crossOriginFields = {
  exposed: `ETag, RateLimit, RateLimit-Policy, Retry-After, ${requestIdField}`,
  accepted: 'Authorization, If-None-Match',
  /** The one method there is. */
  methods: 'GET',
  /** Seconds for which a browser may keep the answer to a preflight. */
  age: 600,
} as const;

/** An SVG opened by itself is a document: it may run and load nothing. */
export const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** A page may not be framed, and tells no other site its address, which may hold the token of a reset link. */
const pageHeaders = {
  'Content-Security-Policy': `${pagePolicy}; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
};

/** What a browser that shows a resource of this media type by itself has to keep to. */
export function documentHeaders(mediaType: string): Readonly<Record<string, string>> {
  if (mediaType.startsWith('text/html')) return pageHeaders;
  return mediaType === 'image/svg+xml' ? { 'Content-Security-Policy': svgPolicy } : {};
}

/** Seconds are not what a digest is cut for: 32 hex digits are 128 bits, beyond any collision by chance. */
const entityTagLength = 32;

/**
 * The strong entity tag of a stored variant (RFC 9110, 8.8.3), quotes included. It is made of the coded bytes, so
 * that each coding has a tag of its own.
 *
 * @param sha256 hex digest of the variant's bytes
 */
export function entityTag(sha256: string): string {
  return `"${sha256.slice(0, entityTagLength)}"`;
}
