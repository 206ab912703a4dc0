import { stat } from 'node:fs/promises';
import glob from 'fast-glob';
import { type Place, placeOf } from './place.ts';

/** The content folder itself cannot be read. */
export class NoContent extends Error {
  override readonly name = 'NoContent';
}

/**
 * Every file of the content folder with what it is, in the order of its path. Hidden files and the
 * schemas in `schema/` are passed over; links are not followed, but told as files that nobody publishes.
 *
 * @throws NoContent when there is no such folder.
 */
export async function findContent(folder: string): Promise<Place[]> {
  const entry = await stat(folder).catch(() => undefined);
  if (!entry?.isDirectory())
    throw new NoContent(`The content folder ${folder} does not exist. Set CONTENT_DIR to it.`);
  const entries = await glob('**', {
    cwd: folder,
    ignore: ['schema/*.schema.json'],
    onlyFiles: false,
    objectMode: true,
    followSymbolicLinks: false,
  });
  return entries
    .filter(({ dirent }) => !dirent.isDirectory())
    .map(({ path, dirent }) => (dirent.isFile() ? placeOf(path) : { kind: 'stray' as const, path }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
