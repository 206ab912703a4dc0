import { join } from 'node:path';
import { previousOf } from './history.ts';
import { DamagedRelease, type Manifest, releasesFolder } from './manifest.ts';
import { ReleaseRefusal } from './refusal.ts';
import { readStock, type Stock } from './releases.ts';
import { switchCurrent } from './switch.ts';
import { readWholeRelease } from './verify.ts';

/**
 * Makes a release current that stands already, after every file of it was held against its manifest.
 *
 * @param wanted its name or an unambiguous beginning of it; undefined: the one that was current before
 * @returns the names of what was current before and of what is now, the same when nothing had to be done; and how
 * many public URLs change
 * @throws ReleaseRefusal when there is no such release, or it is damaged; the file system's own error
 */
export async function rollBack(
  distDir: string,
  wanted: string | undefined,
  now: Date,
): Promise<{
  readonly from: string | undefined;
  readonly to: string;
  readonly changedUrls: number;
}> {
  const stock = await readStock(distDir);
  const to = wanted === undefined ? previousName(stock) : namedBy(stock, wanted);
  let manifest: Manifest;
  try {
    manifest = await readWholeRelease(join(distDir, releasesFolder, to));
  } catch (error) {
    if (!(error instanceof DamagedRelease)) throw error;
    throw new ReleaseRefusal(`Release ${to} is damaged: ${error.message}. What is current stays so.`);
  }
  const changedUrls = await switchCurrent(distDir, { name: to, manifest }, now);
  return { from: stock.current, to, changedUrls };
}

function previousName({ current, names, history }: Stock): string {
  if (current === undefined) throw new ReleaseRefusal('No release is current. Name the one that is to be.');
  const previous = previousOf(history, current);
  if (previous === undefined)
    throw new ReleaseRefusal(`Nothing was current before release ${current}, as far as is known.`);
  if (!names.includes(previous))
    throw new ReleaseRefusal(`Release ${previous}, which was current before, has been removed.`);
  return previous;
}

function namedBy({ names }: Stock, wanted: string): string {
  if (names.includes(wanted)) return wanted;
  const found = names.filter((name) => wanted !== '' && name.startsWith(wanted));
  const [only, ...others] = found;
  if (only === undefined)
    throw new ReleaseRefusal(`There is no release "${wanted}". \`npm run releases -- list\` lists them.`);
  if (others.length > 0)
    throw new ReleaseRefusal(`"${wanted}" may be each of ${found.join(', ')}. Name more of it.`);
  return only;
}
