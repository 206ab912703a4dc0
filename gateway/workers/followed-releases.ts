import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestFile, parseManifest } from '../../build/release/manifest.ts';
import type { Releases } from '../release/current-release.ts';
import { type ManifestPart, manifestParts, type Release, ResponseTable } from '../release/response-table.ts';

/** The release that is current in the primary process, which verifies it, in a worker. */
export class FollowedReleases implements Releases {
  current: Release;
  readonly refreshInTime: () => Promise<void>;
  /** The next release, whose parts arrive. */
  #next: ResponseTable | undefined;

  /**
   * @param folder of the current release
   * @param refreshInTime makes the primary process check the link
   * @throws Error when the manifest cannot be read
   */
  constructor(folder: string, refreshInTime: () => Promise<void>) {
    this.current = readManifest(folder);
    this.refreshInTime = refreshInTime;
  }

  begin(folder: string): void {
    this.#next = new ResponseTable(folder);
  }

  add(part: ManifestPart): void {
    this.#next?.add(part);
  }

  /** @throws Error when this worker was started too late to get all parts, and the manifest cannot be read */
  switchTo(folder: string, release: string): void {
    this.current = this.#next?.release(release) ?? readManifest(folder);
    this.#next = undefined;
  }
}

/** Reads a release, which was verified before. Blocks this process, which does not serve yet. */
function readManifest(folder: string): Release {
  const manifest = parseManifest(readFileSync(join(folder, manifestFile), 'utf8'));
  const table = new ResponseTable(folder);
  for (const part of manifestParts(manifest)) table.add(part);
  return table.release(manifest.id);
}
