import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { changesFile } from '../../build/release/changes.ts';
import { readCurrent, readRelease } from '../../build/release/read.ts';
import { releaseNames } from '../../build/release/releases.ts';
import { currentLink, DamagedRelease } from '../../build/release/root.ts';
import { changesPath } from '../../build/release/urls.ts';
import { inTime } from '../../build/release/waits.ts';
import type { Log } from '../log/logger.ts';
import { type Resource, resourceInMemory } from './resource.ts';
import { type Release, readTable } from './table.ts';

/** Milliseconds between two checks of the link. Polling works on every file system. */
const checkInterval = 500;

/** Milliseconds until a rejected release is tried again, for it may be repaired in place. */
const retryTime = 60_000;

/** Milliseconds for which a request, or the end of the process, waits for a check, which takes as long as the disk. */
const checkTimeout = 5_000;

/** What requests need of the current release. */
export type Releases = Pick<CurrentRelease, 'current' | 'refreshInTime'>;

export type CurrentRelease = Awaited<ReturnType<typeof openCurrentRelease>>;

/**
 * The release that `dist/current` names, replaced as a whole by each release that is published later. Of a release, its
 * root and the year indexes are read and verified that the one before does not have; bodies are verified when they are
 * read. If the release is damaged, the last one that can be read is served instead.
 *
 * @throws DamagedRelease when there is none
 */
export async function openCurrentRelease(distDir: string, log: Log) {
  /** The link `dist/current`. */
  const path = join(distDir, currentLink);
  let isClosed = false;
  /** The link when the current release was read. */
  let link = await readLink(path);
  let rejected:
    | { readonly mark: string; readonly until: number; readonly problem: string }
    | undefined;
  /** The running or last check, and the one after it. */
  let checking: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let current = await first();
  const timer = setInterval(() => void refresh(), checkInterval).unref();

  async function first(): Promise<Release> {
    try {
      return await readTable(await readCurrent(distDir), new Map(), await changes());
    } catch (error) {
      if (!(error instanceof DamagedRelease) || link === undefined) throw error;
      const served = await lastReadable(distDir);
      if (!served) throw error;
      reject(link, `The current release cannot be served: ${error.message}.`, served);
      link = undefined;
      return served;
    }
  }

  /**
   * Checks the link and switches to the release that it names; a damaged one is rejected and logged. A check that is
   * running may have read the link too early, so another one follows it.
   */
  function refresh(): Promise<void> {
    next ??= checking.then(() => {
      next = undefined;
      checking = check();
      return checking;
    });
    return next;
  }

  /** Refreshes, but waits no longer than a request can. @throws Error when it takes longer */
  function refreshInTime(): Promise<void> {
    return inTime(
      refresh(),
      checkTimeout,
      () => new Error(`${path} cannot be read in time: the disk does not respond.`),
    );
  }

  async function check(): Promise<void> {
    if (isClosed) return;
    const found = await readLink(path);
    if (found === undefined || isRejected(found)) return;
    if (found.mark === link?.mark) {
      rejected = undefined;
      return;
    }
    const { id } = current;
    try {
      const latest = await readTable(await readCurrent(distDir), current.years, await changes());
      const release = latest.id;
      log(`Now serving release ${release} instead of ${id}.`, undefined, {
        level: 'info',
        release,
      });
      current = latest;
      link = found;
      rejected = undefined;
    } catch (error) {
      // It may have been pruned because there is a newer one, which the next check finds.
      if ((await readLink(path))?.mark !== found.mark) return;
      reject(found, `The new release cannot be served: ${(error as Error).message}.`);
    }
  }

  function reject({ mark }: LinkState, problem: string, { id } = current): void {
    rejected = { mark, until: performance.now() + retryTime, problem };
    log(`${problem} The gateway keeps serving ${id}.`, undefined, { level: 'error' });
  }

  function isRejected({ mark }: LinkState): boolean {
    return rejected?.mark === mark && performance.now() < rejected.until;
  }

  /** The feed of changes, which is beside the releases. */
  async function changes(): Promise<readonly (readonly [string, Resource])[]> {
    const body = await readFile(join(distDir, changesFile)).catch(() => undefined);
    if (!body) return [];
    const compressed = await promisify(gzip)(body);
    return [[changesPath, resourceInMemory('application/feed+json', body, { gzip: compressed })]];
  }

  return {
    refresh,
    refreshInTime,

    /** Read it once per request, so that all of a response comes from one release. */
    get current(): Release {
      return current;
    },

    /** When the current release was published: milliseconds since 1970, UTC. Undefined if no link names it. */
    get publishedAt(): number | undefined {
      return link?.changedAt;
    },

    /** Whether the link names a damaged release, so that another one is served. */
    get isRejecting(): boolean {
      return rejected !== undefined;
    },

    /** What is wrong with the release that the link names, if it cannot be served. */
    get problem(): string | undefined {
      return rejected?.problem;
    },

    /** Tries a rejected release again, too. */
    reload(): Promise<void> {
      if (rejected) rejected = { ...rejected, until: 0 };
      return refresh();
    },

    async close(): Promise<void> {
      clearInterval(timer);
      isClosed = true;
      // A disk that hangs must not keep the process from ending.
      await refreshInTime().catch(() => {});
    },
  };
}

/** The release that was current last and can be read. */
async function lastReadable(distDir: string): Promise<Release | undefined> {
  for (const name of await releaseNames(distDir)) {
    const found = await readRelease(distDir, name)
      .then((release) => readTable(release))
      .catch(() => undefined);
    if (found) return found;
  }
  return undefined;
}

interface LinkState {
  /** Changes when the link is switched, even to a release that it named before. */
  readonly mark: string;
  /** When it was switched: milliseconds since 1970, UTC. */
  readonly changedAt: number;
}

/** @returns undefined when there is no link */
async function readLink(path: string): Promise<LinkState | undefined> {
  try {
    const { ino, mtimeNs, mtimeMs } = await lstat(path, { bigint: true });
    return { mark: `${await readlink(path)} ${ino} ${mtimeNs}`, changedAt: Number(mtimeMs) };
  } catch {
    return undefined;
  }
}
