/** The releases in a dist folder: list them, roll back to one, remove old ones. */
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { draftName, isAbandonedDraft, removeAbandonedDrafts } from './files.ts';
import { objectsFolder, objectsOf } from './objects.ts';
import { readRelease } from './read.ts';
import { DamagedRelease, releasesFolder, rootFile } from './root.ts';
import { currentName, readHistory, type Switch, switchCurrent } from './switch.ts';
import { UserError } from './user-error.ts';
import { findDamage } from './verify.ts';

/** Everything in a dist folder that concerns releases, apart from their contents. */
interface ReleaseState {
  /** The name of the current release, if there is one. */
  readonly current: string | undefined;
  /** The names of all releases, damaged ones too, without drafts, in the order of `releaseNames`. */
  readonly names: readonly string[];
  readonly history: readonly Switch[];
}

/** A missing folder has no releases. @throws the file system's own error */
async function readState(distDir: string): Promise<ReleaseState> {
  const names = await readdir(join(distDir, releasesFolder)).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const current = await currentName(distDir);
  const history = await readHistory(distDir);
  const used = history.toReversed().flatMap(({ to, from }) => [to, from]);
  const order = [...new Set<string | null | undefined>([current, ...used])];
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const sorted = names.filter((name) => !name.startsWith('.')).sort();
  return { current, names: sorted.sort((one, other) => rank(one) - rank(other)), history };
}

/**
 * The names of all releases: the current one, then the others by when they were last current, then those that never were.
 *
 * @throws the file system's own error
 */
export async function releaseNames(distDir: string): Promise<readonly string[]> {
  return (await readState(distDir)).names;
}

/** A release according to its root and the history; its other files are not read. */
export interface ReleaseListing {
  /** Its folder under `releases/`. */
  readonly name: string;
  readonly current: boolean;
  /** When it last became current or, if it never did, when its root was written. ISO 8601, UTC. */
  readonly publishedAt: string;
  /** What is wrong with the root. */
  readonly damage: string | null;
}

/** Lists the releases under `dist/releases`, those that were current last first. */
export async function listReleases(distDir: string): Promise<ReleaseListing[]> {
  const { current, history, names } = await readState(distDir);
  const listings: ReleaseListing[] = [];
  for (const name of names) {
    const folder = join(distDir, releasesFolder, name);
    const entry = await stat(join(folder, rootFile))
      .catch(() => stat(folder))
      .catch(() => undefined);
    // Another process has removed it.
    if (!entry) continue;
    const publishedAt = history.findLast(({ to }) => to === name)?.at ?? entry.mtime.toISOString();
    const damage = await readRelease(distDir, name).then(
      () => null,
      (error: Error) => error.message,
    );
    listings.push({ name, current: name === current, publishedAt, damage });
  }
  return listings;
}

/** A request that the releases do not allow. The message says why; nothing was changed. */
export class ReleaseError extends UserError {
  override readonly exitStatus = 1;
}

/**
 * Makes an existing release current, after verifying all its files.
 *
 * @param wanted its name; default: the previous release
 * @returns the names of the release that was current and of the one that is, equal if it was current already
 * @throws ReleaseError when there is no such release, or it is damaged; the file system's own error
 */
export async function rollBack(
  distDir: string,
  wanted: string | undefined,
  now: Date,
): Promise<{ readonly from: string | undefined; readonly to: string }> {
  const state = await readState(distDir);
  const to = wanted === undefined ? previousName(state) : existingName(state, wanted);
  const damaged = (problem: string) =>
    new ReleaseError(`Release ${to} is damaged: ${problem}. The current release is unchanged.`);
  const release = await readRelease(distDir, to).catch((error) => {
    throw error instanceof DamagedRelease ? damaged(error.message) : error;
  });
  const [problem] = (await findDamage(release)).problems;
  if (problem !== undefined) throw damaged(problem);
  await switchCurrent(distDir, release, now, {});
  return { from: state.current, to };
}

function previousName({ current, names, history }: ReleaseState): string {
  if (current === undefined)
    throw new ReleaseError('No release is current. Give the id of a release.');
  const previous = history.findLast(({ to }) => to === current)?.from;
  if (typeof previous !== 'string')
    throw new ReleaseError(`No release is known to have been current before ${current}.`);
  if (!names.includes(previous))
    throw new ReleaseError(`Release ${previous}, which was current before, has been removed.`);
  return previous;
}

function existingName({ names }: ReleaseState, wanted: string): string {
  if (names.includes(wanted)) return wanted;
  throw new ReleaseError(
    `There is no release "${wanted}". Run npx pastpaper releases list to see all releases.`,
  );
}

/**
 * How long a release stays after it was written or was last current, in milliseconds: a gateway may still serve it, and
 * a build may be about to switch to it.
 */
export const gracePeriod = 10 * 60_000;

/**
 * Removes old releases, and then the objects that no release reaches any more. The current release stays, and so do
 * those within the grace period. A release is first renamed to a draft, so that a partial release never has the name of
 * a complete one. While a build or a pull is under way, no object is removed, since it may use any.
 *
 * @param count how many releases stay, the current one included
 * @returns the names of the removed releases, and of those that stay because of the grace period alone
 * @throws the file system's own error
 */
export async function prune(
  distDir: string,
  count: number,
  now: Date,
): Promise<{ readonly removed: readonly string[]; readonly recent: readonly string[] }> {
  const state = await readState(distDir);
  const removed: string[] = [];
  const recent: string[] = [];
  for (const name of state.names.slice(count)) {
    const entry = await stat(join(distDir, releasesFolder, name)).catch(() => undefined);
    // Another process has removed it.
    if (!entry || name === state.current) continue;
    const last = state.history.findLast(({ to, from }) => to === name || from === name);
    const lastUse = Math.max(entry.ctimeMs, last ? Date.parse(last.at) : 0);
    if (now.getTime() - lastUse < gracePeriod) recent.push(name);
    else if (await remove(distDir, name, state)) removed.push(name);
  }
  if (state.names.length > 0) await removeAbandonedDrafts(join(distDir, releasesFolder));
  await sweep(distDir, now);
  return { removed, recent };
}

/** Removes the objects that no release reaches and that are older than the grace period. */
async function sweep(distDir: string, now: Date): Promise<void> {
  const reached = new Set<string>();
  const { names } = await readState(distDir);
  for (const name of names) {
    try {
      const objects = await objectsOf(await readRelease(distDir, name));
      for (const sha256 of objects.keys()) reached.add(sha256);
    } catch (error) {
      if (!(error instanceof DamagedRelease)) throw error;
      // Its objects may be needed to repair it.
      return;
    }
  }
  const objects = join(distDir, objectsFolder);
  const folders = await readdir(objects, { withFileTypes: true }).catch(() => []);
  for (const folder of folders) {
    if (!folder.isDirectory()) continue;
    if (await isBeingWritten(distDir)) return;
    for (const name of await readdir(join(objects, folder.name))) {
      if (reached.has(name)) continue;
      const path = join(objects, folder.name, name);
      const entry = await stat(path).catch(() => undefined);
      if (entry && now.getTime() - entry.ctimeMs > gracePeriod) await rm(path, { force: true });
    }
  }
  await removeAbandonedDrafts(objects).catch(() => {});
}

/** Whether a build or a pull is under way. */
async function isBeingWritten(distDir: string): Promise<boolean> {
  const names = await readdir(join(distDir, releasesFolder));
  return names.some((name) => name.startsWith('.draft-') && !isAbandonedDraft(name));
}

/** @returns false when another process was faster, or the release has become current in the meantime */
async function remove(distDir: string, name: string, before: ReleaseState): Promise<boolean> {
  const folder = join(distDir, releasesFolder, name);
  const draft = join(distDir, releasesFolder, draftName());
  try {
    await rename(folder, draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  // A switch writes to the history first.
  const { current, history } = await readState(distDir);
  const isWanted =
    current === name || history.slice(before.history.length).some(({ to }) => to === name);
  // This fails when another release has the name by now.
  if (isWanted) await rename(draft, folder).catch(() => undefined);
  await rm(draft, { recursive: true, force: true });
  return !isWanted;
}
