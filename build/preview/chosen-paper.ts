import { lstat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { placeOf } from '../content/place.ts';
import { paperAddress } from './address.ts';
import { NoPreview } from './no-preview.ts';

/**
 * The path of the page of a subject file.
 *
 * @param file as a person names it: from the working directory, or from the content folder
 * @throws NoPreview when it is no subject file of the content folder
 */
export async function chosenPaper(contentDir: string, file: string): Promise<string> {
  for (const path of [resolve(file), resolve(contentDir, file)]) {
    const place = placeOf(relative(resolve(contentDir), path).replaceAll(sep, '/'));
    if (place.kind !== 'paper' || place.exam === '..') continue;
    const entry = await lstat(path).catch(() => undefined);
    if (entry?.isFile()) return paperAddress(place);
  }
  throw new NoPreview(
    `${file} is no subject file of the content folder ${contentDir}. Name one like ${join(contentDir, 'neet/2024/2024-05-05-s1/physics.json')}, or none to see them all.`,
  );
}
