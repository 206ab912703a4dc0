/** Switches `dist/current` to a release, and records in `dist/` each switch and what the last one changed. */
import { appendFile, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { addChanges, type Feed } from './changes.ts';
import { draftName, removeAbandonedDrafts, writeFileAtomically } from './files.ts';
import { type Release, readCurrent } from './read.ts';
import {
  currentLink,
  headerRulesFile,
  type Root,
  releasesFolder,
  type StoredResource,
} from './root.ts';

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

/** In `dist`: the URLs that the last switch changed, one URL path a line. */
const changedUrlsFile = 'changed.txt';

/**
 * In `dist`: one line of JSON for each switch to a release, in order, appended before the switch. The line of a switch
 * that was killed does no harm: each line names the release that was really current before.
 */
const historyFile = 'history';

/** One switch. Releases are identified by the names of their folders. */
export interface Switch {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly to: string;
  /** The release that was current until then; null for the first switch. */
  readonly from: string | null;
}

/** Reads all switches, oldest first. Skips lines that a full disk cut short. */
export async function readHistory(distDir: string): Promise<Switch[]> {
  return (await historyText(distDir)).split('\n').flatMap((line) => parseSwitch(line) ?? []);
}

/** @throws the file system's own error */
export async function appendToHistory(distDir: string, entry: Switch): Promise<void> {
  const path = join(distDir, historyFile);
  const before = await historyText(distDir);
  // A killed process may have left half a line.
  const start = before === '' || before.endsWith('\n') ? '' : '\n';
  await appendFile(path, `${start}${JSON.stringify(entry)}\n`).catch((error: Error) => {
    throw Object.assign(error, { path });
  });
}

async function historyText(distDir: string): Promise<string> {
  return readFile(join(distDir, historyFile), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

function parseSwitch(line: string): Switch | undefined {
  try {
    const { at, to, from } = JSON.parse(line);
    const isSwitch = typeof to === 'string' && (from === null || typeof from === 'string');
    return isSwitch && !Number.isNaN(Date.parse(at)) ? { at, to, from } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes a release the current one by one rename: a reader sees the previous release or this one. Before that, writes
 * the switch to the history, the changed public URLs to `changed.txt`, and what changed in the papers to `changes.json`.
 *
 * @param feed how the list of changes is named; undefined: it is not written
 * @returns how many public URLs change
 * @throws the file system's own error; then `current` is unchanged
 */
export async function switchCurrent(
  distDir: string,
  release: Release,
  now: Date,
  feed: Feed | undefined,
): Promise<number> {
  await removeAbandonedDrafts(distDir);
  const { name, root } = release;
  const from = await currentName(distDir);
  // Missing or damaged: all URLs change.
  const before = from === undefined ? undefined : await readCurrent(distDir).catch(() => undefined);
  const changed = from === name ? [] : changedPublicUrls(before?.root, root);
  // Before the switch: a URL too many is purged in vain, a missing one stays stale.
  await writeFileAtomically(
    join(distDir, changedUrlsFile),
    changed.map((url) => `${url}\n`).join(''),
  );
  if (from === name) return 0;
  const at = now.toISOString();
  if (feed) await addChanges(distDir, feed, before, release, at);
  const draft = join(distDir, draftName());
  await symlink(join(releasesFolder, name), draft);
  try {
    await appendToHistory(distDir, { at, to: name, from: from ?? null });
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
  before: Pick<Root, 'public' | 'hosts'> | undefined,
  after: Pick<Root, 'public' | 'hosts'>,
): string[] {
  const all = before?.hosts[headerRulesFile]?.sha256 !== after.hosts[headerRulesFile]?.sha256;
  // An exam may be named like a property that every object has.
  const old = new Map(Object.entries(before?.public ?? {}));
  const now = new Map(Object.entries(after.public));
  const paths = new Set([...old.keys(), ...now.keys()]);
  const changed = [...paths].filter(
    (path) => all || responseKey(old.get(path)) !== responseKey(now.get(path)),
  );
  return [...(all ? ['/'] : []), ...changed.sort().flatMap((path) => [`/${path}`, `/${path}/`])];
}

/** Everything that a response depends on apart from the software, as comparable text. */
function responseKey(stored: StoredResource | undefined): string | undefined {
  return (
    stored &&
    JSON.stringify([
      stored.mediaType,
      stored.identity.sha256,
      stored.br?.sha256,
      stored.gzip?.sha256,
    ])
  );
}
