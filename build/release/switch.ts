/** Switches `dist/current` to a release, and records in `dist/` what the switch changes. */
import { readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { draftName, removeAbandonedDrafts, writeFileAtomically } from './drafts.ts';
import { appendToHistory } from './history.ts';
import { currentLink, headerRulesFile, type Manifest, releasesFolder, type StoredResource } from './manifest.ts';
import { readManifest } from './verify.ts';

/** Returns the name of the folder that `current` points to, whether it exists or not; undefined without such a link. */
export async function currentName(distDir: string): Promise<string | undefined> {
  try {
    return basename(await readlink(join(distDir, currentLink)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EINVAL: `current` is not a link. The switch itself will report that.
    if (code === 'ENOENT' || code === 'EINVAL') return undefined;
    throw error;
  }
}

/** A complete release under `releases/`. */
export interface NamedRelease {
  /** Its folder. */
  readonly name: string;
  readonly manifest: Manifest;
}

/**
 * Makes a release the current one by one rename: a reader sees the previous release or this one. Before that, writes
 * the switch to the history and the changed public URLs to `changed.txt`.
 *
 * @param previous the current release, if its manifest is already loaded
 * @returns how many public URLs change
 * @throws the file system's own error; then `current` is unchanged
 */
export async function switchCurrent(
  distDir: string,
  { name, manifest }: NamedRelease,
  now: Date,
  previous?: NamedRelease,
): Promise<number> {
  await removeAbandonedDrafts(distDir);
  const from = await currentName(distDir);
  let changed: readonly string[] = [];
  if (from !== name) {
    // Missing, damaged or of an older format: all URLs change.
    const readCurrent = () => readManifest(join(distDir, currentLink)).catch(() => undefined);
    const before = previous?.name === from ? previous?.manifest : await readCurrent();
    changed = changedPublicUrls(before, manifest);
  }
  // Before the switch: a URL too many is purged in vain, a missing one stays stale.
  await writeFileAtomically(join(distDir, changedUrlsFile), changed.map((url) => `${url}\n`).join(''));
  if (from === name) return 0;
  const draft = join(distDir, draftName());
  await symlink(join(releasesFolder, name), draft);
  try {
    await appendToHistory(distDir, { at: now.toISOString(), to: name, from: from ?? null });
    await rename(draft, join(distDir, currentLink));
    return changed.length;
  } catch (error) {
    await rm(draft, { force: true });
    // Node names the draft, but the problem is at its target.
    if ((error as NodeJS.ErrnoException).syscall === 'rename')
      throw Object.assign(error as Error, { path: join(distDir, currentLink) });
    throw error;
  }
}

/** In `dist`: the URLs that the last switch changed, one URL path a line. */
const changedUrlsFile = 'changed.txt';

/**
 * Lists the public URLs whose response (status, headers, body) differs between two releases, so that a cache can be
 * purged of them: sorted, each with and without a trailing slash. New paths are included because a cache may have their
 * 404.
 *
 * Headers that all responses share come from the software, not from the content. They show in the file of header rules:
 * if that differs, every URL has changed, the redirect of `/` too.
 *
 * @param before the previous release; undefined: unknown, so all URLs of `after` are listed
 * @returns URL paths, each beginning with `/`
 */
export function changedPublicUrls(
  before: Pick<Manifest, 'public' | 'hosts'> | undefined,
  after: Pick<Manifest, 'public' | 'hosts'>,
): string[] {
  const all = before?.hosts[headerRulesFile]?.sha256 !== after.hosts[headerRulesFile]?.sha256;
  // An exam may be named like a property that every object has.
  const old = new Map(Object.entries(before?.public ?? {}));
  const now = new Map(Object.entries(after.public));
  const paths = new Set([...old.keys(), ...now.keys()]);
  const changed = [...paths].filter((path) => all || responseKey(old.get(path)) !== responseKey(now.get(path)));
  return [...(all ? ['/'] : []), ...changed.sort().flatMap((path) => [`/${path}`, `/${path}/`])];
}

/** Everything that a response depends on apart from the software, as comparable text. */
function responseKey(stored: StoredResource | undefined): string | undefined {
  return stored && JSON.stringify([stored.mediaType, stored.identity.sha256, stored.br?.sha256, stored.gzip?.sha256]);
}
