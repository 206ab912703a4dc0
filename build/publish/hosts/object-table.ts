import { cacheControl } from '../../release/headers.ts';
import type { PublicRow } from './public-rows.ts';

const columns = ['key', 'file', 'type', 'cache', 'encoding', 'size', 'sha256'];

/**
 * What an object store is filled with: a line for each key and content coding, with tabs between its columns, so
 * that a shell reads it line by line and a person in any spreadsheet. A key is a URL path without the slash before
 * it, in each spelling that the gateway answers. Of one key a store takes one coding: `identity` is for every
 * client.
 */
export function objectTable(rows: readonly PublicRow[]): string {
  const lines = rows.flatMap(({ path, mediaType, forms }) =>
    [path.slice(1), `${path.slice(1)}/`].flatMap((key) =>
      forms.map(({ file, coding, size, sha256 }) =>
        [key, file, mediaType, cacheControl.public, coding, size, sha256].join('\t'),
      ),
    ),
  );
  return [columns.join('\t'), ...lines, ''].join('\n');
}
