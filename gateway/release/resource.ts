import { join } from 'node:path';
import { anyOrigin, cacheControl, documentHeaders, entityTag } from '../../build/release/headers.ts';
import type { StoredResource, StoredVariant } from '../../build/release/manifest.ts';

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
  const etag = entityTag(sha256);
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
