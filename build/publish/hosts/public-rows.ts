import { entityTag } from '../../release/headers.ts';
import type { Resources, StoredVariant } from '../../release/manifest.ts';

/** The content codings, the preferred one first where a client accepts several with equal weight. */
export const codings = ['br', 'gzip', 'identity'] as const;

/** A file by which other software serves the public tree. */
export interface HostFile {
  /** Path inside the release. */
  readonly file: string;
  readonly body: Buffer;
}

/** One public resource. */
export interface PublicRow {
  /** URL path with a leading and without a trailing slash: `/neet/2024`. */
  readonly path: string;
  readonly mediaType: string;
  /** In the order of `codings`; `identity` is always included. */
  readonly forms: readonly (StoredVariant & { readonly coding: (typeof codings)[number] })[];
}

/** Characters that no configuration needs to quote. The build creates no other paths. */
const plainPath = /^[A-Za-z0-9._/-]+$/;

/** The public resources of a release, in the order of its manifest. @throws Error when a path would need quoting */
export function publicRows(resources: Resources): PublicRow[] {
  return Object.entries(resources).map(([path, stored]) => {
    const forms = codings.flatMap((coding) => {
      const variant = stored[coding];
      return variant ? [{ coding, ...variant }] : [];
    });
    const odd = [path, ...forms.map(({ file }) => file)].find((name) => !plainPath.test(name));
    if (odd !== undefined)
      throw new Error(
        `The public path ${odd} contains a character that host configurations do not support.`,
      );
    return { path: `/${path}`, mediaType: stored.mediaType, forms };
  });
}

/** The distinct media types; configurations refer to them by index. */
export function mediaTypesOf(rows: readonly PublicRow[]): string[] {
  return [...new Set(rows.map(({ mediaType }) => mediaType))];
}

/** A row in one text: `t<index of the media type> <coding>:<hash of the entity tag>:<size>:<file> ...`. */
export function rowText({ mediaType, forms }: PublicRow, types: readonly string[]): string {
  const variants = forms.map(
    ({ coding, sha256, size, file }) =>
      `${coding}:${entityTag(sha256).slice(1, -1)}:${size}:${file}`,
  );
  return [`t${types.indexOf(mediaType)}`, ...variants].join(' ');
}
