import { cacheControl } from '../../release/headers.ts';
import type { ReleaseTables } from '../../release/manifest.ts';
import { type HostFile, type PublicRow, publicRows } from './public-rows.ts';
import { staticHostFiles } from './static-hosts.ts';
import { webServerFiles } from './web-servers.ts';

/**
 * The files by which other software serves the public paths like the gateway (docs/cdn.md). They contain nothing about
 * protected resources.
 *
 * @param tables of the release
 * @throws BeyondLimits when a static host would not read all of its rules
 */
export function hostFiles({ public: resources, shifts }: Pick<ReleaseTables, 'public' | 'shifts'>): HostFile[] {
  const rows = publicRows(resources);
  const exams = Object.keys(shifts);
  return [
    ...staticHostFiles(rows, exams),
    ...webServerFiles(rows, exams),
    { file: 'hosts/objects.tsv', body: Buffer.from(objectTable(rows)) },
  ];
}

/**
 * What to upload to an object store: a line for each key, a URL path with or without a trailing slash, and coding, with
 * tabs between the columns. A store has one coding for each key; every client accepts `identity`.
 */
function objectTable(rows: readonly PublicRow[]): string {
  const lines = rows.flatMap(({ path, mediaType, forms }) =>
    [path.slice(1), `${path.slice(1)}/`].flatMap((key) =>
      forms.map(({ file, coding, size, sha256 }) =>
        [key, file, mediaType, cacheControl.public, coding, size, sha256].join('\t'),
      ),
    ),
  );
  const columns = ['key', 'file', 'type', 'cache', 'encoding', 'size', 'sha256'];
  return [columns.join('\t'), ...lines, ''].join('\n');
}
