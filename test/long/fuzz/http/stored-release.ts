import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { changesFile } from '../../../../build/release/changes.ts';
import { entityTag } from '../../../../build/release/headers.ts';
import { readCurrent } from '../../../../build/release/read.ts';
import { changesPath } from '../../../../build/release/urls.ts';
import { readTable } from '../../../../gateway/release/current-release.ts';
import { BodyCache, packBytes } from '../../../../gateway/release/send.ts';
import { resourcesOf } from '../../../build/release-folder.ts';

/** A body that a gateway sends for a path, in one content coding. */
export interface StoredBody {
  readonly access: 'public' | 'protected';
  readonly path: string;
  readonly mediaType: string;
  readonly coding: string;
  readonly etag: string;
  readonly bytes: Buffer;
}

/** Reads the bodies of the current release of a dist folder, without its feed of changes and its ZIP files. */
export async function readStoredRelease(distDir: string): Promise<readonly StoredBody[]> {
  const { root, pathOf } = await readCurrent(distDir);
  const bodies: StoredBody[] = [];
  for (const [path, { mediaType, identity, br, gzip }] of await resourcesOf(distDir))
    for (const [coding, variant] of Object.entries({ identity, br, gzip })) {
      if (!variant) continue;
      const access = path in root.public ? 'public' : 'protected';
      const bytes = await readFile(pathOf(variant));
      bodies.push({ access, path, mediaType, coding, etag: entityTag(variant.sha256), bytes });
    }
  return bodies;
}

/**
 * Reads everything that a gateway serves: also the feed of changes, and the ZIP files, whose contents
 * test/gateway/release/packs.test.ts proves.
 */
export async function readServedRelease(distDir: string): Promise<readonly StoredBody[]> {
  const stored = await readStoredRelease(distDir);
  const table = await readTable(await readCurrent(distDir));
  const closed = stored.filter(({ access }) => access === 'protected');
  const folders = closed.map(({ path }) => path.split('/').slice(0, 3).join('/'));
  const packs: StoredBody[] = [];
  for (const folder of new Set(folders.flatMap((each) => [each, each.replace(/[^/]+$/, 'all')]))) {
    const [exam = '', year = '', shift = ''] = folder.split('/');
    const pack = table.find({ kind: 'pack', exam, year, shift });
    if (typeof pack === 'string' || !('entries' in pack)) throw new Error(`no ${folder}.zip`);
    packs.push({
      ...{ access: 'protected', path: `${folder}.zip`, mediaType: 'application/zip' },
      ...{ coding: 'identity', etag: pack.etag },
      bytes: await buffer(packBytes(pack, new BodyCache(1_000_000))),
    });
  }
  const changes = await readFile(join(distDir, changesFile));
  const feed = Object.entries({ identity: changes, gzip: gzipSync(changes) }).map(
    ([coding, bytes]): StoredBody => ({
      ...{ access: 'public', path: changesPath, mediaType: 'application/feed+json' },
      ...{ coding, etag: entityTag(hash('sha256', bytes)), bytes },
    }),
  );
  return [...stored, ...packs, ...feed];
}
