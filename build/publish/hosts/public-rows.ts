import { entityTag } from '../../release/headers.ts';
import type { Resources } from '../../release/manifest.ts';

/** The content codings in the order in which they are preferred where a client likes several as much. */
export const codings = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof codings)[number];

/** One public answer, as the files for other hosts tell it. */
export interface PublicRow {
  /** URL path with a slash before it and none after it: `/neet/2024`. */
  readonly path: string;
  readonly mediaType: string;
  /** By content coding, the preferred one first; `identity` is always there. */
  readonly forms: readonly StoredForm[];
}

export interface StoredForm {
  readonly coding: Coding;
  /** Path inside the release. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** With its quotes. */
  readonly etag: string;
}

/** What stands in a configuration without any quoting. The build makes no other path. */
const plainPath = /^[A-Za-z0-9._/-]+$/;

/**
 * The public answers of a release, in the order of its table.
 *
 * @throws Error when a path would have to be quoted
 */
export function publicRows(resources: Resources): PublicRow[] {
  return Object.entries(resources).map(([path, stored]) => {
    const forms = codings.flatMap((coding): StoredForm[] => {
      const variant = stored[coding];
      return variant ? [{ coding, ...variant, etag: entityTag(variant.sha256) }] : [];
    });
    const odd = [path, ...forms.map(({ file }) => file)].find((name) => !plainPath.test(name));
    if (odd !== undefined)
      throw new Error(`The public path ${odd} has a character that the configurations of hosts cannot hold.`);
    return { path: `/${path}`, mediaType: stored.mediaType, forms };
  });
}
