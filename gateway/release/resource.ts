import { join } from 'node:path';
import { anyOrigin, cacheControl, svgPolicy } from '../../build/release/headers.ts';
import type { StoredResource, StoredVariant } from '../../build/release/manifest.ts';
import { pagePolicy } from '../../build/release/page-policy.ts';

/** One answer, with everything about it that does not depend on the request. */
export interface Resource {
  /** By content coding; `identity` is always there. */
  readonly variants: ReadonlyMap<string, Variant>;
  /** The content codings, the preferred one first. */
  readonly codings: readonly string[];
}

export interface Variant {
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  readonly etag: string;
  /** Headers of a 200. */
  readonly headers: Readonly<Record<string, string | number>>;
  /** Headers of a 304: those of the 200 that RFC 9110, 15.4.5 asks for. */
  readonly validators: Readonly<Record<string, string>>;
}

/** Seconds are not what a digest is cut for: 32 hex digits are 128 bits, beyond any collision by chance. */
const etagLength = 32;

/** A page may not be framed, and tells no other site its address, which may hold the token of a reset link. */
const pageHeaders = {
  'Content-Security-Policy': `${pagePolicy}; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
};
const svgHeaders = { 'Content-Security-Policy': svgPolicy };

/** @param folder of the release */
export function toResource(folder: string, stored: StoredResource, access: 'public' | 'protected'): Resource {
  const variants = new Map<string, Variant>();
  for (const coding of ['br', 'gzip', 'identity'] as const) {
    const variant = stored[coding];
    if (variant) variants.set(coding, toVariant(folder, variant, coding, stored.mediaType, access));
  }
  return { variants, codings: [...variants.keys()] };
}

function toVariant(
  folder: string,
  { file, size, sha256 }: StoredVariant,
  coding: string,
  mediaType: string,
  access: 'public' | 'protected',
): Variant {
  // Over the coded bytes, so that each coding has a tag of its own (RFC 9110, 8.8.3.3).
  const etag = `"${sha256.slice(0, etagLength)}"`;
  const validators: Record<string, string> = {
    ETag: etag,
    'Cache-Control': cacheControl[access],
    ...(access === 'public' && anyOrigin),
  };
  return {
    file: join(folder, file),
    size,
    etag,
    validators,
    headers: {
      'Content-Type': mediaType,
      'Content-Length': size,
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
      ...documentHeaders(mediaType),
      ...validators,
    },
  };
}

/** What a browser that shows the resource by itself has to keep to. */
function documentHeaders(mediaType: string): Readonly<Record<string, string>> {
  if (mediaType.startsWith('text/html')) return pageHeaders;
  return mediaType === 'image/svg+xml' ? svgHeaders : {};
}
