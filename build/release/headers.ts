/** Response headers that are fixed at build time, for the gateway, other hosts and the API description. */

/** In every response: browsers must not guess another media type. */
export const everyResponse = { 'X-Content-Type-Options': 'nosniff' } as const;

/** `Cache-Control` (RFC 9111, 5.2). */
export const cacheControl = {
  public: 'public, max-age=300, stale-while-revalidate=86400',
  /** Only the client's own cache may store it, and must revalidate it each time. */
  protected: 'private, no-cache',
  /** A missing public resource may appear with the next release. */
  missing: 'public, max-age=60',
  error: 'no-store',
} as const;

/** `Vary` (RFC 9110, 12.5.5). */
export const vary = {
  public: 'Accept-Encoding',
  protected: 'Authorization, Accept-Encoding',
} as const;

/** Scripts of any origin may read public responses. */
export const anyOrigin = { 'Access-Control-Allow-Origin': '*' } as const;

/** Identifies a request in the log. Responses with status 500 or above have this header. */
export const requestIdField = 'X-Request-Id';

/** CORS of protected responses for the listed origins (Fetch, 3.3.3). */
export const crossOriginFields = {
  exposed: `ETag, RateLimit, RateLimit-Policy, Retry-After, ${requestIdField}`,
  accepted: 'Authorization, If-None-Match',
  /** The API has no other method. */
  methods: 'GET',
  /** How long a browser may cache a preflight response, in seconds. */
  age: 600,
} as const;

/** An SVG that is opened by itself is a document: it may run and load nothing. */
export const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * The Content-Security-Policy of every page: only resources of this origin, nothing inline, and images that a script
 * fetched with a key (`blob:`). The build also writes it into the pages, for hosts that send no headers.
 */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; " +
  "connect-src 'self'; form-action 'self'; base-uri 'none'";

/** `frame-ancestors` works only in a header. No referrer: the URL of a page may contain the token of a reset link. */
const pageHeaders = {
  'Content-Security-Policy': `${pagePolicy}; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
};

/** The headers that a browser needs to show a resource of this media type safely by itself. */
export function documentHeaders(mediaType: string): Readonly<Record<string, string>> {
  if (mediaType.startsWith('text/html')) return pageHeaders;
  return mediaType.startsWith('image/svg+xml') ? { 'Content-Security-Policy': svgPolicy } : {};
}

/** A 404 below `pageFolders` is a page for clients that prefer HTML to JSON. */
export const missingPageVary = { Vary: 'Accept' } as const;

/** The headers of that page. */
export const missingPageHeaders = {
  ...everyResponse,
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': cacheControl.missing,
  ...anyOrigin,
  ...pageHeaders,
  ...missingPageVary,
} as const;

/** Hex digits: 128 bits exclude accidental collisions. */
const entityTagLength = 32;

/**
 * The strong entity tag of a stored variant (RFC 9110, 8.8.3), quotes included. Each content coding has a tag of its
 * own, because the hash covers the encoded bytes.
 *
 * @param sha256 hex digest of the variant's bytes
 */
export function entityTag(sha256: string): string {
  return `"${sha256.slice(0, entityTagLength)}"`;
}
