/**
 * Header fields whose values do not depend on the answer. The gateway sends them, the description of the API
 * tells them.
 */

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

/** Between the scripts of listed origins and protected answers (Fetch, 3.3.3): what they may read, what send. */
export const crossOriginFields = {
  exposed: 'ETag, RateLimit, RateLimit-Policy, Retry-After',
  accepted: 'Authorization, If-None-Match',
  /** The one method there is. */
  methods: 'GET',
  /** Seconds for which a browser may keep the answer to a preflight. */
  age: 600,
} as const;

/** An SVG opened by itself is a document: it may run and load nothing. */
export const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
