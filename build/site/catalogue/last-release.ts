import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { YearShifts } from '../../compile/resources.ts';
import type { LastRelease } from '../../publish/last-release.ts';
import { DamagedRelease, type Manifest } from '../../release/manifest.ts';
import { type Changes, changesFormat, type ReleasedBank } from './changes.ts';

/** URL path of the list of changes, as JSON. */
export const changesPath = 'docs/catalogue/changes.json';

/**
 * Reads what the last release says of its years, for the next one to be compared with.
 *
 * @returns undefined where it cannot be read whole: half of it would tell of changes that never were
 */
export async function releasedBank({ folder, manifest }: LastRelease): Promise<ReleasedBank | undefined> {
  try {
    const years: YearShifts[] = [];
    for (const path of yearPaths(manifest))
      years.push((await readPublic(folder, manifest, path)) as YearShifts);
    const changes = manifest.public[changesPath] && (await readPublic(folder, manifest, changesPath));
    return { years, changes: isChanges(changes) ? changes : undefined };
  } catch (error) {
    // Missing, unreadable and changed are all one here: there is nothing to compare with.
    if (error instanceof DamagedRelease || (error as NodeJS.ErrnoException).syscall !== undefined)
      return undefined;
    throw error;
  }
}

function yearPaths({ shifts }: Manifest): string[] {
  return Object.entries(shifts).flatMap(([exam, years]) =>
    Object.keys(years).map((year) => `${exam}/${year}`),
  );
}

/** The JSON of a public path, if it is as it was published. */
async function readPublic(folder: string, manifest: Manifest, path: string): Promise<unknown> {
  const stored = manifest.public[path]?.identity;
  if (!stored) throw new DamagedRelease(`${path} is missing`);
  const bytes = await readFile(join(folder, stored.file));
  if (createHash('sha256').update(bytes).digest('hex') !== stored.sha256)
    throw new DamagedRelease(`${stored.file} does not match its checksum: it was changed`);
  return JSON.parse(bytes.toString());
}

/** A list of another form was written by another version of the build, and is passed over. */
function isChanges(value: unknown): value is Changes {
  return (value as Partial<Changes> | undefined)?.format === changesFormat;
}
