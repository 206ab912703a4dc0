import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../release/manifest.ts';
import type { YearShifts } from '../../release/resources.ts';
import { type Changes, changesFormat, changesPath } from './changes.ts';
import { type Feed, type FeedItem, feedPath, feedVersion } from './feed.ts';

/** The years of a release, and what changed with it. */
export interface ReleasedBank {
  readonly years: readonly YearShifts[];
  readonly changes: Changes | undefined;
  /** Newest first. */
  readonly feed: readonly FeedItem[];
}

/**
 * Reads the years of a release from its public files, to compare the next release with it.
 *
 * @returns undefined if any of the years is missing, unreadable or damaged: a part would show wrong changes
 */
export async function releasedBank(release: Release): Promise<ReleasedBank | undefined> {
  const years: YearShifts[] = [];
  for (const [exam, shifts] of Object.entries(release.manifest.shifts)) {
    for (const name of Object.keys(shifts)) {
      const year = await readPublic<YearShifts>(release, `${exam}/${name}`);
      if (!year) return undefined;
      years.push(year);
    }
  }
  const changes = await readPublic<Changes>(release, changesPath);
  const feed = await readPublic<Feed>(release, feedPath);
  // Files of another format were written by another version of the build.
  return {
    years,
    changes: changes?.format === changesFormat ? changes : undefined,
    feed: feed?.version === feedVersion ? feed.items : [],
  };
}

/** A release on disk. */
interface Release {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Reads the JSON of a public path. @returns undefined if it is not what was published */
async function readPublic<Resource>(
  { folder, manifest }: Release,
  path: string,
): Promise<Resource | undefined> {
  const stored = manifest.public[path]?.identity;
  const bytes = stored && (await readFile(join(folder, stored.file)).catch(() => undefined));
  return bytes && hash('sha256', bytes) === stored.sha256
    ? JSON.parse(bytes.toString())
    : undefined;
}
